import type { CallOptions } from "../CallOptions.ts"
import type { AuditRecord } from "../generated.ts"
import { Pages } from "../Pages.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, QueryOf } from "./operationTypes.ts"

/** The audit of your organization. */
export class AuditRecords {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists who read or changed what.
   *
   * @example
   * ```ts
   * for await (const record of care.auditRecords.list({ caseId })) console.log(record.action)
   * ```
   */
  list(
    query: QueryOf<"auditRecords.list"> = {},
    options?: CallOptions
  ): Pages<AuditRecord, AnswerOf<"auditRecords.list">> {
    return new Pages((cursor) =>
      this.#transport.send("auditRecords.list", { query: { ...query, cursor: cursor ?? query.cursor } }, options)
    )
  }
}

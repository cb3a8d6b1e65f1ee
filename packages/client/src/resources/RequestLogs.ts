import type { CallOptions } from "../CallOptions.ts"
import type { LoggedRequest } from "../generated.ts"
import { Pages } from "../Pages.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, QueryOf } from "./operationTypes.ts"

/** The log of your own requests, of the last seven days. */
export class RequestLogs {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists your requests, newest first.
   *
   * @example
   * ```ts
   * for await (const request of care.requestLogs.list({ status: "4xx" })) console.log(request.path, request.errorCode)
   * ```
   */
  list(
    query: QueryOf<"requestLogs.list"> = {},
    options?: CallOptions
  ): Pages<LoggedRequest, AnswerOf<"requestLogs.list">> {
    return new Pages((cursor) =>
      this.#transport.send("requestLogs.list", { query: { ...query, cursor: cursor ?? query.cursor } }, options)
    )
  }
}

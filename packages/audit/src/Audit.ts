import type { AuditAction, DataKind } from "@care/domain/audit"
import { execute } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditOutbox } from "./AuditOutbox.ts"
import { listRecords, type ShownOf } from "./listRecords.ts"
import { currentProvenance, lineOf, type NewRecord, provenanceIn } from "./NewRecord.ts"
import { insertWaitingRecords } from "./recorded.ts"

/** Records who reads and changes patients' data. Changes of cases are recorded by `Cases.move` and `Cases.record`. */
export class Audit extends Context.Service<
  Audit,
  {
    /** Records changes in the transaction of the change. */
    readonly changed: (...records: readonly [NewRecord, ...ReadonlyArray<NewRecord>]) => Effect.Effect<void>
    /**
     * Records a read before it is answered. When it returns, the record survives the end of the process, and it is in the database about
     * a second later. Dies with `AuditUnavailable` if the record cannot be stored.
     */
    readonly read: (record: NewRecord) => Effect.Effect<void>
    /** Records the read of a list in the same way, with one record for each organization whose cases it showed. */
    readonly listed: (
      action: AuditAction,
      shown: ReadonlyArray<ShownOf>,
      kinds?: ReadonlyArray<DataKind>
    ) => Effect.Effect<void>
  }
>()("@care/audit/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* AuditOutbox
      const read = (record: NewRecord): Effect.Effect<void> =>
        Effect.contextWith((context: Context.Context<never>) =>
          outbox.append({ organizationId: record.organizationId, line: lineOf(record, provenanceIn(context)) })
        )
      return Audit.of({
        changed: (...records) =>
          Effect.flatMap(currentProvenance, (provenance) =>
            execute(
              insertWaitingRecords(
                sql,
                records.map((record) => lineOf(record, provenance))
              )
            )
          ),
        read,
        listed: (action, shown, kinds) =>
          Effect.forEach(listRecords(action, shown, kinds), read, { concurrency: "unbounded", discard: true })
      })
    })
  )
}

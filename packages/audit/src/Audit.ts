import type { AuditAction, DataKind } from "@care/domain/audit"
import { execute } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditOutbox } from "./AuditOutbox.ts"
import { listRecords, type ShownOf } from "./listRecords.ts"
import { currentProvenance, lineOf, type NewRecord, provenanceIn } from "./NewRecord.ts"
import { insertWaitingRecords } from "./recorded.ts"

/** Who read and changed patients' data. A change of a case records itself (`Cases.move`, `Cases.record`). */
export class Audit extends Context.Service<
  Audit,
  {
    /** Records changes, inside the transaction of the change. */
    readonly changed: (...records: readonly [NewRecord, ...ReadonlyArray<NewRecord>]) => Effect.Effect<void>
    /**
     * Records a read, before it is answered: done when the record survives the end of the process; it is in the
     * database about a second later. Dies with `AuditUnavailable` when it cannot be kept.
     */
    readonly read: (record: NewRecord) => Effect.Effect<void>
    /** Records in the same way that a list was read: as one record of each organization whose cases it showed. */
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

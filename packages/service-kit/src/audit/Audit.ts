import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { execute } from "../sql/rows.ts"
import { AuditSpool } from "./AuditSpool.ts"
import { currentDoing, doingIn, lineOf, type NewRecord } from "./NewRecord.ts"
import { insertWaitingRecords } from "./recorded.ts"

/** Who read and changed patients' data. A change of a case records itself (`Cases.move`, `Cases.record`). */
export class Audit extends Context.Service<
  Audit,
  {
    /** Records changes, inside the transaction of the change. */
    readonly changed: (...records: readonly [NewRecord, ...ReadonlyArray<NewRecord>]) => Effect.Effect<void>
    /**
     * Records reads, before they are answered: done when the records survive the end of the process; they are in the
     * database about a second later. Dies with `AuditUnavailable` when they cannot be kept.
     */
    readonly read: (...records: ReadonlyArray<NewRecord>) => Effect.Effect<void>
  }
>()("@care/service-kit/audit/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const spool = yield* AuditSpool
      return Audit.of({
        changed: (...records) =>
          Effect.flatMap(currentDoing, (doing) =>
            execute(
              insertWaitingRecords(
                sql,
                records.map((record) => lineOf(record, doing))
              )
            )
          ),
        read: (...records) =>
          records.length === 0
            ? Effect.void
            : Effect.contextWith((context: Context.Context<never>) => {
                const doing = doingIn(context)
                return spool.append(records.map((record) => lineOf(record, doing)).join("\n"))
              })
      })
    })
  )
}

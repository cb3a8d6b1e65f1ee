import { type AuditAction, type DataKind, maxShownCases, type ShownCase } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { execute } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditOutbox } from "./AuditOutbox.ts"
import { currentProvenance, lineOf, type NewRecord, provenanceIn } from "./NewRecord.ts"
import { insertWaitingRecords } from "./recorded.ts"

/** A case that a list showed, with its organization. */
interface ShownOf extends ShownCase {
  readonly organizationId: OrganizationId
}

// A list that shows one case is recorded as a read of it.
const recordOf = (shown: ReadonlyArray<ShownCase>): Pick<NewRecord, "caseId" | "userId" | "shown"> => {
  const [only, ...others] = shown
  return only === undefined || others.length > 0 ? { shown } : only
}

// Returns the records of one list. Each organization gets one record for every `maxShownCases` cases, and each case is named once.
const listRecords = (
  action: AuditAction,
  shown: ReadonlyArray<ShownOf>,
  kinds?: ReadonlyArray<DataKind>
): ReadonlyArray<NewRecord> =>
  Object.values(Arr.groupBy(shown, ({ organizationId }) => organizationId)).flatMap((shownOfOrganization) => {
    const [{ organizationId }] = shownOfOrganization
    const cases = new Map(shownOfOrganization.map(({ caseId, userId }) => [`${caseId} ${userId}`, { caseId, userId }]))
    return Arr.chunksOf([...cases.values()], maxShownCases).map((chunk) => ({
      organizationId,
      action,
      ...(kinds !== undefined && { kinds }),
      ...recordOf(chunk)
    }))
  })

/** Records who reads and changes patients' data, and who may do so. Changes of cases are recorded by `Cases.move` and `Cases.record`. */
export class Audit extends Context.Service<
  Audit,
  {
    /** Records changes in the transaction of the change. */
    readonly changed: (...records: readonly [NewRecord, ...ReadonlyArray<NewRecord>]) => Effect.Effect<void>
    /** Records a read before it is answered, so that an ended process loses none. Dies with `AuditUnavailable` if it cannot be stored. */
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

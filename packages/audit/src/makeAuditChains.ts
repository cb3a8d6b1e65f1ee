import { ServiceAuditRecord, subjectOf } from "@care/domain/audit"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { execute, inBackground, inTransaction, makeJoinByIndex, rowsOf } from "@care/service-kit"
import { Clock, Data, Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { recordLine } from "./chainHash.ts"
import { entriesOf } from "./entriesOf.ts"
import { isReadable } from "./isReadable.ts"
import { KindBits, kindsOfBits, sortedKinds } from "./kindBits.ts"
import { type AlreadyLinked, makeChainsRepo } from "./makeChainsRepo.ts"

const maxLinkedAtOnce = 1000

// About how many ids one transaction links: those of records and of the cases in lists. A single list may have more.
const maxIdsAtOnce = 10_000

// `userId` is the subject, as in `recordLine`.
export const RecordRow = Schema.Struct({
  ...Struct.omit(ServiceAuditRecord.fields, ["actor", "apiKeyId", "shown"]),
  // Null unless the record is about a list.
  shownCaseIds: Schema.NullOr(Schema.Array(CaseId)),
  shownUserIds: Schema.NullOr(Schema.Array(Schema.NullOr(UserId))),
  at: Schema.Date,
  actorType: ServiceAuditRecord.fields.actor.fields.type,
  actorId: ServiceAuditRecord.fields.actor.fields.id
})

/** The same as it is read back: the kinds are names, or bits if the record is an entry of a chain. */
export const StoredRecordRow = Schema.Struct({
  ...RecordRow.fields,
  kinds: Schema.Union([RecordRow.fields.kinds, KindBits])
})

export const recordOf = (row: typeof StoredRecordRow.Type): ServiceAuditRecord => ({
  ...Struct.pick(row, ["organizationId", "id", "at", "action", "caseId", "requestId"]),
  ...subjectOf(row.action, row.userId),
  kinds: typeof row.kinds === "number" ? kindsOfBits(row.kinds) : row.kinds,
  actor: { type: row.actorType, id: row.actorId },
  shown: (row.shownCaseIds ?? []).map((caseId, index) => ({ caseId, userId: row.shownUserIds?.[index] ?? null }))
})

const waitingRecords = rowsOf(RecordRow)
const recordsOfVersion1 = rowsOf(
  Schema.Union([RecordRow, Schema.Struct({ organizationId: OrganizationId, id: Schema.String })])
)
const organizations = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

const unreadable =
  "An audit record that no service writes waited for its chain, and is left out of it: care audit verify names it"
const endRemoved =
  "The end of an audit chain was removed or set back: its records wait until an operator lets it go on (docs/guides/audit.md)"

const logError = (what: string, annotations: Readonly<Record<string, unknown>>) =>
  Effect.logError(what).pipe(Effect.annotateLogs(annotations))

/** Chains with links after their stored end: somebody has changed the end. */
class ChainsBroken extends Data.TaggedError("ChainsBroken")<{
  readonly organizationIds: ReadonlyArray<OrganizationId>
}> {}

/**
 * Makes the effect that links the waiting records into the chains of their organizations, ordered by time. One process links at a time. It
 * skips a chain whose end was removed or set back (docs/decisions/0057-audit.md), and a record that this version does not know. Records that
 * processes of version 1 store are linked in the tables of that version.
 */
export const makeAuditChains = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const chains = yield* makeChainsRepo
  const joinByIndex = yield* makeJoinByIndex
  const brokenChains = new Set<OrganizationId>()

  const takeWaiting = Effect.suspend(() =>
    Effect.andThen(
      joinByIndex,
      waitingRecords.all(
        sql`
          WITH taken AS (
            DELETE FROM audit_waiting USING (
              SELECT organization_id, id, sum(size) OVER (ROWS UNBOUNDED PRECEDING) - size AS ids_before
              FROM (
                SELECT organization_id, id, 1 + coalesce(cardinality(shown_case_ids), 0) AS size FROM audit_waiting
                WHERE organization_id <> ALL(${[...brokenChains]}::uuid[]) AND ${isReadable(sql)}
                LIMIT ${maxLinkedAtOnce}
              ) AS waiting
            ) AS counted
            WHERE audit_waiting.organization_id = counted.organization_id AND audit_waiting.id = counted.id
              AND ids_before < ${maxIdsAtOnce}
            RETURNING audit_waiting.*
          )
          SELECT * FROM taken ORDER BY at, id
        `.unprepared
      )
    )
  )

  const takeRecordsOfVersion1 = Effect.suspend(() =>
    Effect.andThen(
      joinByIndex,
      recordsOfVersion1.all(
        sql`
    WITH taken AS (
      DELETE FROM audit_unlinked USING (
        SELECT organization_id, record_id, sum(size) OVER (ROWS UNBOUNDED PRECEDING) - size AS ids_before
        FROM (
          SELECT * FROM audit_unlinked
          WHERE organization_id <> ALL(${[...brokenChains]}::uuid[]) LIMIT ${maxLinkedAtOnce}
        ) AS waiting
      ) AS counted
      WHERE audit_unlinked.organization_id = counted.organization_id
        AND audit_unlinked.record_id = counted.record_id AND ids_before < ${maxIdsAtOnce}
      RETURNING audit_unlinked.organization_id, audit_unlinked.record_id
    )
    SELECT r.* FROM taken
    CROSS JOIN LATERAL (
      SELECT * FROM audit_records WHERE organization_id = taken.organization_id AND id = taken.record_id
    ) r
    ORDER BY r.at, r.id
  `.unprepared
      )
    )
  )

  const findRepaired = (organizationIds: ReadonlyArray<OrganizationId>) =>
    organizations.all(sql`
      SELECT organization_id FROM audit_heads h
      WHERE organization_id = ANY(${organizationIds}::uuid[]) AND NOT EXISTS (
        SELECT FROM audit_entries e WHERE e.organization_id = h.organization_id AND e.number > h.count
      ) AND NOT EXISTS (
        SELECT FROM audit_links l WHERE l.organization_id = h.organization_id AND l.number > h.count
      )
    `)

  const removeLinked = execute(sql`
    DELETE FROM audit_unlinked u USING audit_links l
    WHERE l.organization_id = u.organization_id AND l.record_id = u.record_id
  `)

  const soundEndsOf = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
    const ends = yield* chains.endsOf(lines)
    const behind = ends.filter(({ isBehind }) => isBehind)
    if (behind.length > 0) {
      return yield* new ChainsBroken({ organizationIds: behind.map(({ organizationId }) => organizationId) })
    }
    return ends
  })

  const sizeOf = ({ shownCaseIds }: typeof RecordRow.Type): number => 1 + (shownCaseIds ?? []).length

  const linkWaiting = Effect.gen(function* () {
    if (!(yield* chains.takeTurn)) return 0
    const taken = yield* takeWaiting
    if (taken.length === 0) return 0
    const lines = taken.map((row) => recordLine(recordOf({ ...row, kinds: sortedKinds(row.kinds) })))
    const ends = yield* soundEndsOf(lines)
    const entries = entriesOf(lines, ends, yield* Clock.currentTimeMillis)
    if (entries === undefined) return yield* Effect.die(new Error("A record is waiting that this version cannot read"))
    // Their lines were moved to the database twice.
    const oldest = Math.min(...entries.map(({ monthOfRecord }) => monthOfRecord))
    const stored = new Set((yield* chains.storedIds(entries, oldest)).map(({ id }) => id))
    const added = entries.filter(({ id }) => !stored.has(id))
    if (added.length > 0) yield* Effect.orDie(chains.store(added, ends))
    return taken.reduce((ids, row) => ids + sizeOf(row), 0)
  })

  const linkRecordsOfVersion1 = Effect.gen(function* () {
    if (!(yield* chains.takeTurn)) return 0
    const taken = yield* takeRecordsOfVersion1
    if (taken.length === 0) return 0
    const waiting = taken.flatMap((row) => ("action" in row ? [recordLine(recordOf(row))] : []))
    const ends = yield* soundEndsOf(waiting)
    if (waiting.length > 0) yield* chains.linkRecordsOfVersion1(waiting, ends)
    for (const row of taken) if (!("action" in row)) yield* logError(unreadable, row)
    return taken.reduce((ids, row) => ids + ("action" in row ? sizeOf(row) : 1), 0)
  })

  // Nothing was linked. The next attempt skips those chains.
  const skipBroken = Effect.fnUntraced(function* ({ organizationIds }: ChainsBroken) {
    for (const organizationId of organizationIds) {
      brokenChains.add(organizationId)
      yield* logError(endRemoved, { organizationId })
    }
    return maxLinkedAtOnce
  })

  const removeAlreadyLinked = Effect.gen(function* () {
    yield* Effect.logError("Audit records wait for links that they already have: they are left as they are")
    yield* removeLinked
    return maxLinkedAtOnce
  })

  const forgetRepaired = Effect.gen(function* () {
    for (const { organizationId } of yield* findRepaired([...brokenChains])) brokenChains.delete(organizationId)
  })

  const linkAll = (linkBatch: Effect.Effect<number, ChainsBroken | AlreadyLinked>) =>
    inTransaction(sql)(linkBatch).pipe(
      Effect.catchTags({ ChainsBroken: skipBroken, AlreadyLinked: () => removeAlreadyLinked }),
      Effect.repeat({ until: (count) => count < maxLinkedAtOnce })
    )
  return inBackground(
    Effect.andThen(
      Effect.suspend(() => (brokenChains.size > 0 ? forgetRepaired : Effect.void)),
      Effect.andThen(linkAll(linkWaiting), linkAll(linkRecordsOfVersion1))
    )
  ).pipe(Effect.asVoid)
})

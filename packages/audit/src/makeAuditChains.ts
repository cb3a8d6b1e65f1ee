import { ServiceAuditRecord } from "@care/domain/audit"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { execute, inBackground, inTransaction, makeJoinByIndex, rowsOf } from "@care/service-kit"
import { Data, Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { recordLine } from "./chainHash.ts"
import { makeChainsRepo } from "./makeChainsRepo.ts"

const maxLinkedAtOnce = 1000

// About how many ids one transaction links: those of records and of the cases in lists. A single list may have more.
const maxIdsAtOnce = 10_000

export const RecordRow = Schema.Struct({
  ...Struct.omit(ServiceAuditRecord.fields, ["actor", "shown"]),
  // Null unless the record is about a list.
  shownCaseIds: Schema.NullOr(Schema.Array(CaseId)),
  shownUserIds: Schema.NullOr(Schema.Array(Schema.NullOr(UserId))),
  at: Schema.Date,
  actorType: ServiceAuditRecord.fields.actor.fields.type,
  actorId: ServiceAuditRecord.fields.actor.fields.id
})

export const recordOf = (row: typeof RecordRow.Type): ServiceAuditRecord => ({
  ...Struct.pick(row, ["organizationId", "id", "at", "action", "caseId", "userId", "requestId", "kinds"]),
  actor: { type: row.actorType, id: row.actorId },
  shown: (row.shownCaseIds ?? []).map((caseId, index) => ({ caseId, userId: row.shownUserIds?.[index] ?? null }))
})

const records = rowsOf(Schema.Union([RecordRow, Schema.Struct({ organizationId: OrganizationId, id: Schema.String })]))
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
 * skips a chain whose end was removed or set back (docs/decisions/0057-audit.md), and a record that no service can have written.
 */
export const makeAuditChains = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const chains = yield* makeChainsRepo
  const joinByIndex = yield* makeJoinByIndex
  const brokenChains = new Set<OrganizationId>()

  const takeRecords = Effect.suspend(() =>
    Effect.andThen(
      joinByIndex,
      records.all(
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
        SELECT FROM audit_links l WHERE l.organization_id = h.organization_id AND l.number > h.count
      )
    `)

  const removeLinked = execute(sql`
    DELETE FROM audit_unlinked u USING audit_links l
    WHERE l.organization_id = u.organization_id AND l.record_id = u.record_id
  `)

  const linkBatch = Effect.gen(function* () {
    if (!(yield* chains.takeTurn)) return 0
    const taken = yield* takeRecords
    if (taken.length === 0) return 0
    const waiting = taken.flatMap((row) => ("action" in row ? [recordLine(recordOf(row))] : []))
    const ends = yield* chains.endsOf(waiting)
    const behind = ends.filter(({ isBehind }) => isBehind)
    if (behind.length > 0) {
      return yield* new ChainsBroken({ organizationIds: behind.map(({ organizationId }) => organizationId) })
    }
    if (waiting.length > 0) yield* chains.link(waiting, ends)
    for (const row of taken) if (!("action" in row)) yield* logError(unreadable, row)
    return taken.reduce((ids, row) => ids + 1 + ("action" in row ? (row.shownCaseIds ?? []).length : 0), 0)
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

  const link = inTransaction(sql)(linkBatch).pipe(
    Effect.catchTags({ ChainsBroken: skipBroken, AlreadyLinked: () => removeAlreadyLinked }),
    Effect.repeat({ until: (count) => count < maxLinkedAtOnce })
  )
  return inBackground(
    Effect.andThen(
      Effect.suspend(() => (brokenChains.size > 0 ? forgetRepaired : Effect.void)),
      link
    )
  ).pipe(Effect.asVoid)
})

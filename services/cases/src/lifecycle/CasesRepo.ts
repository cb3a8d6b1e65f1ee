import {
  assignedStatus,
  CaseFact,
  type CaseMove,
  CaseStatus,
  type CaseTransition,
  caseTransitions,
  changesOf,
  detailsOf,
  givenStatuses,
  type NewCaseActivity,
  toDoStatuses,
  waitingStatus
} from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import {
  type Doing,
  execute,
  finds,
  Job,
  rowsOf,
  type Sealer,
  sealed,
  sealedRow,
  sealedRowsOf
} from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { noteActivity } from "../activity/ActivityRepo.ts"
import { eligibleProviders, isProvider } from "../people/PeopleRepo.ts"

/** Whose case it is, and where it stands. */
const Standing = Schema.Struct({
  userId: UserId,
  status: CaseStatus,
  isArchived: Schema.Boolean,
  isTest: Schema.Boolean
})
export type Standing = typeof Standing.Type

const WaitingCase = Schema.Struct({ id: CaseId, createdAt: Schema.Date })
export type WaitingCase = typeof WaitingCase.Type

/** What moves change of a case, as it is stored. */
export const caseColumns = {
  organizationId: OrganizationId,
  id: CaseId,
  status: CaseStatus,
  isSole: Schema.Boolean,
  assignedTo: Schema.NullOr(UserId),
  assignedBy: Schema.NullOr(UserId),
  assignedAt: Schema.NullOr(Schema.Date),
  inProgressAt: Schema.NullOr(Schema.Date),
  isArchived: Schema.Boolean,
  closedAt: Schema.NullOr(Schema.Date),
  archiveReason: sealed(Schema.NullOr(Schema.String)),
  archiveNote: sealed(Schema.NullOr(Schema.String)),
  updatedAt: Schema.Date
}
/** A case as its moves change it. */
export const CaseRow = sealedRow("cases", ["organizationId", "id"], caseColumns)

/** A case to be assigned, and the job whose work that is, which ends with it. */
export interface WantedAssignment {
  readonly id: CaseId
  readonly ending?: Job.JobEnding | undefined
}

const endingsOf = (wanted: ReadonlyArray<WantedAssignment>): string =>
  JSON.stringify(
    wanted.flatMap(({ ending, id }) =>
      ending === undefined ? [] : [{ id: ending.id, claim_id: ending.claimId, case_id: id }]
    )
  )

/** Whose a case is: its organization and its patient. */
const Owner = Schema.Struct({ organizationId: OrganizationId, userId: UserId })
export type Owner = typeof Owner.Type

const owners = rowsOf(Owner)
const standings = rowsOf(Standing)
const attempts = rowsOf(
  Schema.Struct({
    status: CaseStatus,
    isArchived: Schema.Boolean,
    isFollowed: Schema.Boolean,
    isMoved: Schema.Boolean
  })
)
const facts = rowsOf(CaseFact)
const waitingCases = rowsOf(WaitingCase)
const assignments = rowsOf(
  Schema.Struct({
    id: CaseId,
    isArchived: Schema.Boolean,
    isWaiting: Schema.Boolean,
    isAssigned: Schema.Boolean,
    isFollowed: Schema.Boolean,
    hasProvider: Schema.Boolean
  })
)

/**
 * SQL of what a case is and how it moves, and of what providers have to do because of it. Locks are taken in one order:
 * the case, then its providers. Cases are locked by a statement of its own: one that locks a row and changes it, too, has
 * waited for a newer version of it, locked that, and comes to the older one again, which may be held by somebody who waits
 * for the newer one.
 */
export const makeCasesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cases = yield* sealedRowsOf(CaseRow)
  // Whoever waited for another change asked for the time before: a case is never older than it was.
  const changed = (at: Date) => sql`
    activity_count = cases.activity_count + 1, updated_at = greatest(cases.updated_at, ${at}::timestamptz)
  `
  const moved = sql.literal("moved")
  const fact = sql.literal(`
    organization_id, id AS case_id, user_id, short_id, title, status, is_archived, is_test, activity_count AS version
  `)
  const none = sql.literal("")
  // The statuses that a move led from and to, and who had the case if they have it no more, beside what else is told of it.
  const withStatuses = (details: Readonly<Record<string, string>>) => sql`
    ${JSON.stringify(details)}::jsonb || jsonb_strip_nulls(jsonb_build_object(
      'from', was, 'to', status, 'previousProviderId', CASE WHEN had IS DISTINCT FROM assigned_to THEN had END
    ))
  `
  // As literals, so that the partial index serves it.
  const isWaiting = sql.literal(`NOT is_archived AND NOT is_test AND status = '${waitingStatus}'`)

  return {
    findOwner: (id: CaseId) => owners.first(sql`SELECT organization_id, user_id FROM cases WHERE id = ${id}`),

    find: (organizationId: OrganizationId, id: CaseId) =>
      standings.first(sql`
        SELECT user_id, status, is_archived, is_test FROM cases WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** How a case of the organization stands, which is followed from now on. */
    follow: (organizationId: OrganizationId, id: CaseId) =>
      facts.first(sql`
        UPDATE cases SET is_followed = true WHERE organization_id = ${organizationId} AND id = ${id} RETURNING ${fact}
      `),

    /** The same of the newest case that is not archived of whoever has an email now (as `ReadingRepo` finds them). */
    followNewest: (organizationId: OrganizationId, email: string) =>
      facts.first(sql`
        UPDATE cases SET is_followed = true
        WHERE organization_id = ${organizationId} AND NOT is_archived AND id = (
          SELECT id FROM cases
          WHERE organization_id = ${organizationId} AND NOT is_archived AND user_id = (
            SELECT id FROM people WHERE organization_id = ${organizationId} AND is_active AND email = ${email}
            ORDER BY updated_at DESC
            LIMIT 1
          )
          ORDER BY created_at DESC, id DESC
          LIMIT 1
        )
        RETURNING ${fact}
      `),

    /** How those of the cases stand that are followed. */
    followed: (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) =>
      facts.all(sql`
        SELECT ${fact} FROM cases WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[]) AND is_followed
      `),

    /** Waits for whoever moves one of the cases, until nobody else does before the transaction ends. */
    lock: (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) =>
      execute(sql`
        SELECT id FROM cases WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
        ORDER BY id
        FOR NO KEY UPDATE
      `),

    /**
     * Makes a move of a case that is locked, if it takes the case: where the case stood, and whether it moved. `news` is stored with the move of a case
     * that is followed. What is written of why it is closed is sealed by the `sealer`.
     */
    move: (
      sealer: Sealer,
      organizationId: OrganizationId,
      id: CaseId,
      move: CaseMove,
      doing: Doing,
      news: Job.PreparedJob
    ) => {
      const { at } = doing
      const { activity, from = [], fromArchived = [], isOfDeparted }: CaseTransition = caseTransitions[move.name]
      const condition = isOfDeparted
        ? sql`AND NOT ${isProvider(sql, organizationId, sql.literal("assigned_to"))}`
        : none
      const changes = cases.seal(sealer, { organizationId, id, ...changesOf(move, at) })
      return attempts.first(sql`
        WITH found AS (
          SELECT organization_id, id, status, is_archived, is_followed, assigned_to, assigned_at FROM cases
          WHERE organization_id = ${organizationId} AND id = ${id}
        ), before AS (
          SELECT * FROM found
          WHERE status = ANY(CASE WHEN is_archived THEN ${fromArchived}::text[] ELSE ${from}::text[] END) ${condition}
        ), moved AS (
          UPDATE cases
          SET ${sql.update(changes, ["organizationId", "id"])}, ${changed(at)}
          FROM before
          WHERE cases.organization_id = before.organization_id AND cases.id = before.id
          RETURNING cases.organization_id, cases.id, cases.status, cases.is_archived, cases.assigned_to, cases.assigned_at,
                    cases.activity_count, cases.updated_at, cases.is_followed, cases.user_id,
                    before.status AS was, before.assigned_to AS had
        ), told AS (
          ${news.insertFor(sql.literal("moved WHERE is_followed"))}
        ), ${noteActivity(sql, moved, { ...doing, type: activity, details: withStatuses(detailsOf(move)) })},
        counted AS (
          SELECT organization_id, assigned_to, assigned_at, status, is_archived, -1 AS change FROM before
          UNION ALL
          SELECT organization_id, assigned_to, assigned_at, status, is_archived, 1 FROM moved
        ), recounted AS (
          INSERT INTO provider_loads (organization_id, provider_id, case_count, last_assigned_at)
          SELECT organization_id, assigned_to, sum(change), max(assigned_at) FROM counted
          WHERE NOT is_archived AND status = ANY(${toDoStatuses}::text[])
          GROUP BY organization_id, assigned_to
          HAVING sum(change) <> 0 OR min(assigned_at) <> max(assigned_at)
          ORDER BY assigned_to
          ON CONFLICT (organization_id, provider_id) DO UPDATE
          SET case_count = provider_loads.case_count + excluded.case_count,
              last_assigned_at = greatest(provider_loads.last_assigned_at, excluded.last_assigned_at)
        )
        SELECT status, is_archived, is_followed, EXISTS (SELECT FROM moved) AS is_moved FROM found
      `)
    },

    /** Says that something happened to a case: whose it is, and where it stands. */
    record: (organizationId: OrganizationId, id: CaseId, { details, type }: NewCaseActivity, doing: Doing) =>
      standings.first(sql`
        WITH moved AS (
          UPDATE cases SET ${changed(doing.at)}
          WHERE organization_id = ${organizationId} AND id = ${id}
          RETURNING organization_id, id, activity_count, updated_at, user_id, status, is_archived, is_test
        ), ${noteActivity(sql, moved, { ...doing, type, details: sql`${JSON.stringify(details)}::jsonb` })}
        SELECT user_id, status, is_archived, is_test FROM moved
      `),

    pageOfWaiting: (organizationId: OrganizationId, after: PagePosition, limit: number) =>
      waitingCases.all(sql`
        SELECT id, created_at FROM cases
        WHERE organization_id = ${organizationId} AND ${isWaiting} AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    /** Cases that a provider was given, and has not begun. */
    pageOfAssigned: (organizationId: OrganizationId, providerId: UserId, after: PagePosition, limit: number) =>
      waitingCases.all(sql`
        SELECT id, created_at FROM cases
        WHERE organization_id = ${organizationId} AND assigned_to = ${providerId} AND NOT is_archived
          AND status = ${assignedStatus} AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    /**
     * Assigns cases, which are locked, that wait one after the other, oldest first, each to the one of its eligible providers who has the
     * fewest; of several, who waits longest. Not to a provider who was given a case, or lost one, since the statement began:
     * that would have to be made again. Of each case that there is: whether it waited, and what became of it. `news` is
     * stored when one of them is followed.
     */
    assignToLeastBusy: (
      organizationId: OrganizationId,
      wanted: ReadonlyArray<WantedAssignment>,
      { at, ...by }: Doing,
      news: Job.PreparedJob
    ) =>
      assignments.all(sql`
        WITH RECURSIVE found AS MATERIALIZED (
          SELECT id, user_id, status, is_archived, is_test, is_followed, created_at FROM cases
          WHERE organization_id = ${organizationId} AND id = ANY(${wanted.map(({ id }) => id)}::uuid[])
        ), waiting AS MATERIALIZED (
          SELECT id, user_id, status, row_number() OVER (ORDER BY created_at, id) AS n FROM found WHERE ${isWaiting}
        ), turns AS (
          SELECT 0::bigint AS n, NULL::uuid AS case_id, NULL::uuid AS provider_id, '{}'::jsonb AS given, '{}'::jsonb AS last
          UNION ALL
          SELECT waiting.n, waiting.id, least_busy.id,
                 CASE WHEN least_busy.id IS NULL THEN turns.given
                   ELSE turns.given || jsonb_build_object(least_busy.id, least_busy.given + 1) END,
                 CASE WHEN least_busy.id IS NULL THEN turns.last
                   ELSE turns.last || jsonb_build_object(least_busy.id, waiting.n) END
          FROM turns JOIN waiting ON waiting.n = turns.n + 1
          LEFT JOIN LATERAL (
            SELECT provider.id, coalesce((turns.given ->> provider.id::text)::integer, 0) AS given
            FROM (${eligibleProviders(sql, organizationId, sql.literal("waiting.user_id"))}) provider
            LEFT JOIN provider_loads load ON load.organization_id = ${organizationId} AND load.provider_id = provider.id
            ORDER BY coalesce(load.case_count, 0) + coalesce((turns.given ->> provider.id::text)::integer, 0),
                     (turns.last ->> provider.id::text)::integer NULLS FIRST, load.last_assigned_at NULLS FIRST, provider.id
            LIMIT 1
          ) least_busy ON true
        ), chosen AS (
          SELECT provider_id, count(*) AS given FROM turns WHERE provider_id IS NOT NULL GROUP BY provider_id
        ), taken AS (
          INSERT INTO provider_loads (organization_id, provider_id, case_count, last_assigned_at)
          SELECT ${organizationId}::uuid, provider_id, coalesce(load.case_count, 0) + given, ${at}::timestamptz
          FROM chosen
          LEFT JOIN (SELECT * FROM provider_loads WHERE organization_id = ${organizationId}) load USING (provider_id)
          ORDER BY provider_id
          ON CONFLICT (organization_id, provider_id) DO UPDATE
          SET case_count = excluded.case_count,
              last_assigned_at = greatest(provider_loads.last_assigned_at, excluded.last_assigned_at)
          WHERE provider_loads.case_count = excluded.case_count - (
            SELECT given FROM chosen WHERE chosen.provider_id = excluded.provider_id
          )
          RETURNING provider_id
        ), assigned AS (
          UPDATE cases
          SET status = ${caseTransitions.assign.to}, assigned_to = taken.provider_id, assigned_at = ${at}, ${changed(at)}
          FROM turns JOIN taken USING (provider_id) JOIN waiting ON waiting.id = turns.case_id
          WHERE cases.organization_id = ${organizationId} AND cases.id = turns.case_id
          RETURNING cases.organization_id, cases.id, cases.status, cases.activity_count, cases.updated_at,
                    cases.is_followed, cases.user_id, waiting.status AS was, taken.provider_id
        ), told AS (
          ${news.insertFor(sql.literal("(SELECT FROM assigned WHERE is_followed LIMIT 1) AS followed"))}
        ), ${noteActivity(sql, sql.literal("assigned"), {
          ...by,
          at,
          type: caseTransitions.assign.activity,
          details: sql`jsonb_build_object('from', was, 'to', status, 'providerId', provider_id)`
        })},
        ended AS (
          ${Job.completeJobs(
            sql,
            sql`(
              SELECT * FROM jsonb_to_recordset(${endingsOf(wanted)}::jsonb) AS given (id uuid, claim_id uuid, case_id uuid)
              WHERE case_id IN (SELECT id FROM assigned)
                OR case_id NOT IN (SELECT id FROM waiting UNION ALL SELECT id FROM found WHERE is_archived)
            )`
          )}
        )
        SELECT found.id, found.is_archived, found.is_followed, waiting.id IS NOT NULL AS is_waiting, assigned.id IS NOT NULL AS is_assigned,
               turns.provider_id IS NOT NULL AS has_provider
        FROM found
        LEFT JOIN waiting ON waiting.id = found.id
        LEFT JOIN assigned ON assigned.id = found.id
        LEFT JOIN turns ON turns.case_id = found.id
      `),

    hasOther: (organizationId: OrganizationId, userId: UserId, id: CaseId) =>
      finds(sql`
        SELECT id FROM cases WHERE organization_id = ${organizationId} AND user_id = ${userId} AND id <> ${id} LIMIT 1
      `),

    wasGiven: (organizationId: OrganizationId, userId: UserId) =>
      finds(sql`
        SELECT id FROM cases
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND status = ANY(${givenStatuses}::text[])
        LIMIT 1
      `)
  }
})

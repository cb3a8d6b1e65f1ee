import {
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
import { finds, rowsOf, sealed, sealedRow, sealedRowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type NewActivity, noteActivity } from "../activity/ActivityRepo.ts"
import { eligibleProviders } from "../people/PeopleRepo.ts"

/** Whose case it is, and where it stands. */
const Standing = Schema.Struct({ userId: UserId, status: CaseStatus, isArchived: Schema.Boolean })
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
  assignedAt: Schema.NullOr(Schema.Date),
  inProgressAt: Schema.NullOr(Schema.Date),
  isArchived: Schema.Boolean,
  closedAt: Schema.NullOr(Schema.Date),
  archiveReason: sealed(Schema.NullOr(Schema.String)),
  archiveNote: sealed(Schema.NullOr(Schema.String)),
  updatedAt: Schema.Date
}
const CaseRow = sealedRow("cases", ["organizationId", "id"], caseColumns)

/** A change of a case: the id of its record, who makes it, and when. */
type Made = Pick<NewActivity, "id" | "actor" | "at">

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))
const standings = rowsOf(Standing)
const attempts = rowsOf(Schema.Struct({ status: CaseStatus, isArchived: Schema.Boolean, isMoved: Schema.Boolean }))
const waitingCases = rowsOf(WaitingCase)
const assignments = rowsOf(
  Schema.Struct({ isWaiting: Schema.Boolean, isAssigned: Schema.Boolean, hasProvider: Schema.Boolean })
)

/**
 * SQL of what a case is and how it moves, and of what providers have to do because of it. Locks are taken in one order:
 * the case, then its providers.
 */
export const makeCasesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cases = yield* sealedRowsOf(CaseRow)
  // Whoever wants to move a case waits for whoever moves it, and sees where it stands then.
  const locked = (organizationId: OrganizationId, id: CaseId) => sql`
    SELECT organization_id, id, user_id, status, is_archived, is_test, assigned_to, assigned_at FROM cases
    WHERE organization_id = ${organizationId} AND id = ${id}
    FOR NO KEY UPDATE
  `
  const moved = sql.literal("moved")
  // The statuses that a move led from and to, beside what else is told of it.
  const withStatuses = (details: Readonly<Record<string, string>>) => sql`
    ${JSON.stringify(details)}::jsonb || jsonb_build_object('from', was, 'to', status)
  `
  // As literals, so that the partial index serves it.
  const isWaiting = sql.literal(`NOT is_archived AND NOT is_test AND status = '${waitingStatus}'`)

  return {
    findOwner: (id: CaseId) => owners.first(sql`SELECT organization_id FROM cases WHERE id = ${id}`),

    find: (organizationId: OrganizationId, id: CaseId) =>
      standings.first(sql`
        SELECT user_id, status, is_archived FROM cases WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Makes a move, if it takes the case: where the case stood, and whether it moved. */
    move: (organizationId: OrganizationId, id: CaseId, move: CaseMove, made: Made) => {
      const { activity, from = [], fromArchived = [] }: CaseTransition = caseTransitions[move.name]
      const changes = cases.seal({ organizationId, id, ...changesOf(move, made.at), updatedAt: made.at })
      return attempts.first(sql`
        WITH found AS (${locked(organizationId, id)}), before AS (
          SELECT * FROM found
          WHERE status = ANY(CASE WHEN is_archived THEN ${fromArchived}::text[] ELSE ${from}::text[] END)
        ), moved AS (
          UPDATE cases
          SET ${sql.update(changes, ["organizationId", "id"])}, activity_count = activity_count + 1
          FROM before
          WHERE cases.organization_id = before.organization_id AND cases.id = before.id
          RETURNING cases.organization_id, cases.id, cases.status, cases.is_archived, cases.assigned_to, cases.assigned_at,
                    cases.activity_count, before.status AS was
        ), noted AS (
          ${noteActivity(sql, moved, { ...made, type: activity, details: withStatuses(detailsOf(move)) })}
        ), counted AS (
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
        SELECT status, is_archived, EXISTS (SELECT FROM moved) AS is_moved FROM found
      `)
    },

    /** Says that something happened to a case: whose it is, and where it stands. */
    record: (organizationId: OrganizationId, id: CaseId, { details, type }: NewCaseActivity, made: Made) =>
      standings.first(sql`
        WITH moved AS (
          UPDATE cases SET activity_count = activity_count + 1, updated_at = ${made.at}
          WHERE organization_id = ${organizationId} AND id = ${id}
          RETURNING organization_id, id, activity_count, user_id, status, is_archived
        ), noted AS (
          ${noteActivity(sql, moved, { ...made, type, details: sql`${JSON.stringify(details)}::jsonb` })}
        )
        SELECT user_id, status, is_archived FROM moved
      `),

    pageOfWaiting: (organizationId: OrganizationId, after: PagePosition, limit: number) =>
      waitingCases.all(sql`
        SELECT id, created_at FROM cases
        WHERE organization_id = ${organizationId} AND ${isWaiting} AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    /**
     * Assigns a case, if it waits, to the one of its eligible providers who has the fewest; of several, who waits longest.
     * Not when that provider was given a case, or lost one, since the statement began: it would have to be made again.
     */
    assignToLeastBusy: (organizationId: OrganizationId, id: CaseId, made: Made) =>
      assignments.one(sql`
        WITH found AS (${locked(organizationId, id)}), waiting AS (
          SELECT * FROM found WHERE ${isWaiting}
        ), least_busy AS (
          SELECT provider.id, coalesce(load.case_count, 0) AS case_count
          FROM waiting CROSS JOIN LATERAL (
            ${eligibleProviders(sql, organizationId, sql.literal("waiting.user_id"))}
          ) provider
          LEFT JOIN provider_loads load ON load.organization_id = ${organizationId} AND load.provider_id = provider.id
          ORDER BY case_count, load.last_assigned_at NULLS FIRST, provider.id
          LIMIT 1
        ), taken AS (
          INSERT INTO provider_loads (organization_id, provider_id, case_count, last_assigned_at)
          SELECT waiting.organization_id, least_busy.id, least_busy.case_count + 1, ${made.at}::timestamptz
          FROM waiting, least_busy
          ON CONFLICT (organization_id, provider_id) DO UPDATE
          SET case_count = excluded.case_count,
              last_assigned_at = greatest(provider_loads.last_assigned_at, excluded.last_assigned_at)
          WHERE provider_loads.case_count = excluded.case_count - 1
          RETURNING provider_id
        ), assigned AS (
          UPDATE cases
          SET status = ${caseTransitions.assign.to}, assigned_to = taken.provider_id, assigned_at = ${made.at}, updated_at = ${made.at},
              activity_count = activity_count + 1
          FROM waiting, taken
          WHERE cases.organization_id = waiting.organization_id AND cases.id = waiting.id
          RETURNING cases.organization_id, cases.id, cases.status, cases.activity_count, waiting.status AS was,
                    taken.provider_id
        ), noted AS (
          ${noteActivity(sql, sql.literal("assigned"), {
            ...made,
            type: caseTransitions.assign.activity,
            details: sql`jsonb_build_object('from', was, 'to', status, 'providerId', provider_id)`
          })}
        )
        SELECT EXISTS (SELECT FROM waiting) AS is_waiting, EXISTS (SELECT FROM assigned) AS is_assigned,
               EXISTS (SELECT FROM least_busy) AS has_provider
      `),

    wasGiven: (organizationId: OrganizationId, userId: UserId) =>
      finds(sql`
        SELECT id FROM cases
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND status = ANY(${givenStatuses}::text[])
        LIMIT 1
      `)
  }
})

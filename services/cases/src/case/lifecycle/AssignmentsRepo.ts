import type { Provenance } from "@care/audit"
import { assignedStatus, caseTransitions, waitingStatus } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, type OrganizationId, type UserId } from "@care/domain/ids"
import type { Job } from "@care/jobs"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { noteActivity } from "../activity/ActivityRepo.ts"
import { eligibleProviders } from "../people/PeopleRepo.ts"
import { caseChanged } from "./CaseRow.ts"

const WaitingCase = Schema.Struct({ id: CaseId, createdAt: Schema.Date })
export type WaitingCase = typeof WaitingCase.Type

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

/** SQL of the moves that give waiting cases to providers, many at once, with what the providers have to do because of it. */
export const makeAssignmentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // As literals, so that the partial index serves it.
  const isWaiting = sql.literal(`NOT is_archived AND NOT is_test AND status = '${waitingStatus}'`)

  return {
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
     * Assigns cases, which are locked, that wait one after the other, oldest first, each to the one of its eligible
     * providers who has the fewest; of several, who waits longest. Not to a provider who was given a case, or lost one,
     * since the statement began: that would have to be made again. Of each case that there is: whether it waited, and what
     * became of it. `news` is stored when one of them is followed.
     */
    assignToLeastBusy: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<CaseId>,
      { at, ...by }: Provenance,
      replication: Job.PreparedJob
    ) =>
      assignments.all(sql`
        WITH RECURSIVE found AS MATERIALIZED (
          SELECT id, user_id, status, is_archived, is_test, is_followed, created_at FROM cases
          WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
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
          SET status = ${caseTransitions.assign.to}, assigned_to = taken.provider_id, assigned_at = ${at}, ${caseChanged(sql, at)}
          FROM turns JOIN taken USING (provider_id) JOIN waiting ON waiting.id = turns.case_id
          WHERE cases.organization_id = ${organizationId} AND cases.id = turns.case_id
          RETURNING cases.organization_id, cases.id, cases.status, cases.activity_count, cases.updated_at,
                    cases.is_followed, cases.user_id, waiting.status AS was, taken.provider_id
        ), told AS (
          ${replication.insertFor(sql.literal("(SELECT FROM assigned WHERE is_followed LIMIT 1) AS followed"))}
        ), ${noteActivity(sql, sql.literal("assigned"), {
          ...by,
          at,
          type: caseTransitions.assign.activity,
          details: sql`jsonb_build_object('from', was, 'to', status, 'providerId', provider_id)`
        })}
        SELECT found.id, found.is_archived, found.is_followed, waiting.id IS NOT NULL AS is_waiting, assigned.id IS NOT NULL AS is_assigned,
               turns.provider_id IS NOT NULL AS has_provider
        FROM found
        LEFT JOIN waiting ON waiting.id = found.id
        LEFT JOIN assigned ON assigned.id = found.id
        LEFT JOIN turns ON turns.case_id = found.id
      `)
  }
})

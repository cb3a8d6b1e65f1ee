import type { Provenance } from "@care/audit"
import { assignedStatus, caseTransitions, unassignedStatus } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, type OrganizationId, type UserId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { insertActivity } from "../activity/ActivityRepo.ts"
import { CandidateGroup, type ProviderAssignment } from "./assignmentsOf.ts"
import { caseChanged } from "./CaseRow.ts"

const WaitingCase = Schema.Struct({ id: CaseId, createdAt: Schema.Date })
export type WaitingCase = typeof WaitingCase.Type

const waitingCases = rowsOf(WaitingCase)
const candidateGroups = rowsOf(CandidateGroup)
const assignedCases = rowsOf(Schema.Struct({ id: CaseId }))

/** SQL that assigns waiting cases to providers, many in one statement. */
export const makeAssignmentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Literals, not parameters, so that the planner can use the partial index.
  const isWaiting = sql.literal(`NOT is_archived AND NOT is_test AND status = '${unassignedStatus}'`)

  return {
    pageOfWaiting: (organizationId: OrganizationId, after: PagePosition, limit: number) =>
      waitingCases.all(sql`
        SELECT id, created_at FROM cases
        WHERE organization_id = ${organizationId} AND ${isWaiting} AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    /** Returns cases that are assigned to a provider, who has not begun them. */
    pageOfAssigned: (organizationId: OrganizationId, providerId: UserId, after: PagePosition, limit: number) =>
      waitingCases.all(sql`
        SELECT id, created_at FROM cases
        WHERE organization_id = ${organizationId} AND assigned_to = ${providerId} AND NOT is_archived
          AND status = ${assignedStatus} AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    /**
     * Returns the least busy of the active providers who may treat the patients, by the states where patients live. Unknown
     * licences fit all states, and an unknown state fits all licences. As many providers as patients
     * are enough for one case of each patient.
     */
    candidates: (organizationId: OrganizationId, patientIds: ReadonlyArray<UserId>) =>
      candidateGroups.all(sql`
        SELECT home.patient_ids, (
          SELECT coalesce(json_agg(least_busy), '[]') FROM (
            SELECT provider.id AS "providerId", coalesce(load.case_count, 0) AS "caseCount"
            FROM people provider
            LEFT JOIN provider_loads load ON load.organization_id = provider.organization_id AND load.provider_id = provider.id
            WHERE provider.organization_id = ${organizationId} AND provider.role = 'PROVIDER' AND provider.is_active
              AND (provider.licensed_states = '{}' OR home.state = '' OR home.state = ANY(provider.licensed_states))
            ORDER BY coalesce(load.case_count, 0), load.last_assigned_at NULLS FIRST, provider.id
            LIMIT ${patientIds.length}
          ) AS least_busy
        ) AS candidates
        FROM (
          SELECT coalesce(patient.state, '') AS state, json_agg(requested.id) AS patient_ids
          FROM unnest(${patientIds}::uuid[]) AS requested (id)
          LEFT JOIN people patient ON patient.organization_id = ${organizationId} AND patient.id = requested.id
          GROUP BY 1
        ) AS home
      `),

    /**
     * Assigns locked cases, and returns those that it assigned. It skips providers who are not active any more, or whose number of
     * cases has changed since it was read.
     */
    assign: (organizationId: OrganizationId, assignments: ReadonlyArray<ProviderAssignment>, provenance: Provenance) =>
      assignedCases.all(sql`
        WITH requested AS (
          SELECT * FROM jsonb_to_recordset(${JSON.stringify(assignments)}::jsonb)
            AS requested ("caseId" uuid, "providerId" uuid, "caseCount" integer)
        ), load AS (
          SELECT "providerId" AS provider_id, "caseCount" AS case_count, count(*) AS added FROM requested GROUP BY 1, 2
        ), reserved AS (
          INSERT INTO provider_loads (organization_id, provider_id, case_count, last_assigned_at)
          SELECT provider.organization_id, provider.id, load.case_count + load.added, ${provenance.now}::timestamptz
          FROM load JOIN people provider ON provider.organization_id = ${organizationId} AND provider.id = load.provider_id
          WHERE provider.role = 'PROVIDER' AND provider.is_active
          ORDER BY provider.id
          FOR SHARE OF provider
          ON CONFLICT (organization_id, provider_id) DO UPDATE
          SET case_count = excluded.case_count,
              last_assigned_at = greatest(provider_loads.last_assigned_at, excluded.last_assigned_at)
          WHERE provider_loads.case_count = (${assignments.map(({ caseCount }) => caseCount)}::integer[])[
            array_position(${assignments.map(({ providerId }) => providerId)}::uuid[], excluded.provider_id)
          ]
          RETURNING provider_id
        ), assigned AS (
          UPDATE cases
          SET status = ${caseTransitions.assign.to}, assigned_to = reserved.provider_id, assigned_at = ${provenance.now}, ${caseChanged(sql, provenance.now)}
          FROM requested JOIN reserved ON reserved.provider_id = requested."providerId"
          WHERE cases.organization_id = ${organizationId} AND cases.id = requested."caseId"
          RETURNING cases.organization_id, cases.id, cases.status, cases.activity_count, cases.updated_at,
                    cases.user_id, reserved.provider_id
        ), ${insertActivity(sql, sql.literal("assigned"), {
          ...provenance,
          type: caseTransitions.assign.activity,
          details: sql`jsonb_build_object('from', ${unassignedStatus}::text, 'to', status, 'providerId', provider_id)`
        })}
        SELECT id FROM assigned
      `)
  }
})

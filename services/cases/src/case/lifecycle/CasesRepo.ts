import type { Provenance } from "@care/audit"
import {
  type CaseMove,
  CaseSnapshot,
  CaseStatus,
  type CaseTransition,
  caseTransitions,
  changesOf,
  detailsOf,
  givenStatuses,
  type NewCaseActivity,
  toDoStatuses
} from "@care/domain/cases"
import { type CaseId, OrganizationId, UserId } from "@care/domain/ids"
import type { Job } from "@care/jobs"
import { type Sealer, sealedRowsOf } from "@care/phi"
import { execute, finds, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { noteActivity } from "../activity/ActivityRepo.ts"
import { isProvider } from "../people/PeopleRepo.ts"
import { CaseRow, caseChanged } from "./CaseRow.ts"

/** Whose case it is, and where it stands. */
const CaseStateRow = Schema.Struct({
  userId: UserId,
  status: CaseStatus,
  isArchived: Schema.Boolean,
  isTest: Schema.Boolean
})
export type CaseStateRow = typeof CaseStateRow.Type

/** Whose a case is: its organization and its patient. */
const Owner = Schema.Struct({ organizationId: OrganizationId, userId: UserId })
export type Owner = typeof Owner.Type

const owners = rowsOf(Owner)
const caseStates = rowsOf(CaseStateRow)
const attempts = rowsOf(
  Schema.Struct({
    status: CaseStatus,
    isArchived: Schema.Boolean,
    isFollowed: Schema.Boolean,
    isMoved: Schema.Boolean
  })
)
const facts = rowsOf(CaseSnapshot)

/**
 * SQL of what a case is and how it moves, and of what providers have to do because of it. Locks are taken in one order:
 * the case, then its providers. Cases are locked by a statement of its own: one that locks a row and changes it, too, has
 * waited for a newer version of it, locked that, and comes to the older one again, which may be held by somebody who waits
 * for the newer one.
 */
export const makeCasesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cases = yield* sealedRowsOf(CaseRow)
  const moved = sql.literal("moved")
  const snapshot = sql.literal(`
    organization_id, id AS case_id, user_id, short_id, title, status, is_archived, is_test, activity_count AS version
  `)
  const none = sql.literal("")
  // The statuses that a move led from and to, and who had the case if they have it no more, beside what else is told of it.
  const withStatuses = (details: Readonly<Record<string, string>>) => sql`
    ${JSON.stringify(details)}::jsonb || jsonb_strip_nulls(jsonb_build_object(
      'from', was, 'to', status, 'previousProviderId', CASE WHEN had IS DISTINCT FROM assigned_to THEN had END
    ))
  `

  return {
    findOwner: (id: CaseId) => owners.first(sql`SELECT organization_id, user_id FROM cases WHERE id = ${id}`),

    find: (organizationId: OrganizationId, id: CaseId) =>
      caseStates.first(sql`
        SELECT user_id, status, is_archived, is_test FROM cases WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** How a case of the organization stands, which is followed from now on. */
    follow: (organizationId: OrganizationId, id: CaseId) =>
      facts.first(sql`
        UPDATE cases SET is_followed = true WHERE organization_id = ${organizationId} AND id = ${id} RETURNING ${snapshot}
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
        RETURNING ${snapshot}
      `),

    /** How those of the cases stand that are followed. */
    followed: (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) =>
      facts.all(sql`
        SELECT ${snapshot} FROM cases WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[]) AND is_followed
      `),

    /** Waits for whoever moves one of the cases, until nobody else does before the transaction ends. */
    lock: (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) =>
      execute(sql`
        SELECT id FROM cases WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
        ORDER BY id
        FOR NO KEY UPDATE
      `),

    /**
     * Makes a move of a case that is locked, if it takes the case: where the case stood, and whether it moved. `news` is
     * stored with the move of a case that is followed. What is written of why it is closed is sealed by the `sealer`.
     */
    move: (
      sealer: Sealer,
      organizationId: OrganizationId,
      id: CaseId,
      move: CaseMove,
      provenance: Provenance,
      replication: Job.PreparedJob
    ) => {
      const { at } = provenance
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
          SET ${sql.update(changes, ["organizationId", "id"])}, ${caseChanged(sql, at)}
          FROM before
          WHERE cases.organization_id = before.organization_id AND cases.id = before.id
          RETURNING cases.organization_id, cases.id, cases.status, cases.is_archived, cases.assigned_to, cases.assigned_at,
                    cases.activity_count, cases.updated_at, cases.is_followed, cases.user_id,
                    before.status AS was, before.assigned_to AS had
        ), told AS (
          ${replication.insertFor(sql.literal("moved WHERE is_followed"))}
        ), ${noteActivity(sql, moved, { ...provenance, type: activity, details: withStatuses(detailsOf(move)) })},
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
    record: (organizationId: OrganizationId, id: CaseId, { details, type }: NewCaseActivity, provenance: Provenance) =>
      caseStates.first(sql`
        WITH moved AS (
          UPDATE cases SET ${caseChanged(sql, provenance.at)}
          WHERE organization_id = ${organizationId} AND id = ${id}
          RETURNING organization_id, id, activity_count, updated_at, user_id, status, is_archived, is_test
        ), ${noteActivity(sql, moved, { ...provenance, type, details: sql`${JSON.stringify(details)}::jsonb` })}
        SELECT user_id, status, is_archived, is_test FROM moved
      `),

    hasOther: (organizationId: OrganizationId, userId: UserId, id: CaseId) =>
      finds(sql`
        SELECT id FROM cases WHERE organization_id = ${organizationId} AND user_id = ${userId} AND id <> ${id} LIMIT 1
      `),

    hasNewer: (organizationId: OrganizationId, userId: UserId, id: CaseId) =>
      finds(sql`
        SELECT newer.id FROM cases newer, cases c
        WHERE c.organization_id = ${organizationId} AND c.id = ${id}
          AND newer.organization_id = ${organizationId} AND newer.user_id = ${userId}
          AND (newer.created_at, newer.id) > (c.created_at, c.id)
        LIMIT 1
      `),

    wasGiven: (organizationId: OrganizationId, userId: UserId, apart?: CaseId) =>
      finds(sql`
        SELECT id FROM cases
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND status = ANY(${givenStatuses}::text[])
          AND id IS DISTINCT FROM ${apart ?? null}::uuid
        LIMIT 1
      `)
  }
})

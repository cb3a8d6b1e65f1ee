import type { Provenance } from "@care/audit"
import {
  type CaseMove,
  type CaseProductStatus,
  CaseSnapshot,
  CaseStatus,
  caseTransitions,
  changesOf,
  detailsOf,
  type NewCaseActivity,
  pendingProviderStatuses,
  providerStatuses
} from "@care/domain/cases"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { type Sealer, sealedRowsOf } from "@care/phi"
import { affects, execute, inScope, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { insertActivity } from "../activity/ActivityRepo.ts"
import { isProvider } from "../people/PeopleRepo.ts"
import { seenBy } from "../people/seenBy.ts"
import { CaseRow, caseChanged } from "./CaseRow.ts"
import { loadChangesOf } from "./loadChangesOf.ts"

/** The patient and the state of a case. */
const CaseStateRow = Schema.Struct({
  userId: UserId,
  status: CaseStatus,
  isArchived: Schema.Boolean,
  isTest: Schema.Boolean
})
export type CaseStateRow = typeof CaseStateRow.Type

/** The organization and the patient of a case. */
const Owner = Schema.Struct({ organizationId: OrganizationId, userId: UserId })
export type Owner = typeof Owner.Type

/** Whether a provider may see a case as theirs or as a waiting one, and whether they have opened it by breaking the glass. */
const Sight = Schema.Struct({ isTheirs: Schema.Boolean, glassBrokenUntil: Schema.NullOr(Schema.Date) })

/** Who has a case to work on, and since when. */
const Holder = Schema.Struct({ assignedTo: UserId, assignedAt: Schema.Date })
export type Holder = typeof Holder.Type

/** A case that the transaction has locked. */
const LockedCase = Schema.Struct({
  ...CaseStateRow.fields,
  id: CaseId,
  isFollowed: Schema.Boolean,
  assignedTo: Schema.NullOr(UserId),
  assignedAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date
})
export type LockedCase = typeof LockedCase.Type

const openProduct: CaseProductStatus = "OPEN"

const owners = rowsOf(Owner)
const sights = rowsOf(Sight)
const holders = rowsOf(Holder)
const caseStates = rowsOf(CaseStateRow)
const lockedCases = rowsOf(LockedCase)
const snapshots = rowsOf(CaseSnapshot)

/**
 * SQL that reads and moves cases, and counts the pending cases of providers. Locks are taken in one order: the case, then its providers.
 * Only `lock` locks cases, in a statement of its own: a statement that locked and changed a row could deadlock with one that waits for
 * a newer version of that row.
 */
export const makeCasesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cases = yield* sealedRowsOf(CaseRow)
  const moved = sql.literal("moved")
  const snapshot = sql.literal(`
    organization_id, id AS case_id, user_id, short_id, title, status, is_archived, is_test, activity_count AS version
  `)

  return {
    findOwner: (id: CaseId, scope: OrganizationId | undefined) =>
      owners.first(sql`SELECT organization_id, user_id FROM cases WHERE id = ${id} AND ${inScope(sql, scope)}`),

    /** Unknown licences fit all states, and an unknown state fits all licences, as for assignments. */
    sightOf: (organizationId: OrganizationId, id: CaseId, providerId: UserId, now: Date) =>
      sights.one(sql`
        SELECT
          ${seenBy(sql, sql`c`, providerId)} AS is_theirs,
          (
            SELECT max(expires_at) FROM break_glass
            WHERE organization_id = ${organizationId} AND case_id = ${id} AND opened_for = ${providerId} AND expires_at > ${now}
          ) AS glass_broken_until
        FROM cases c WHERE c.organization_id = ${organizationId} AND c.id = ${id}
      `),

    find: (organizationId: OrganizationId, id: CaseId) =>
      caseStates.first(sql`
        SELECT user_id, status, is_archived, is_test FROM cases WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Returns the provider who has to work on a case, if any. */
    holderOf: (organizationId: OrganizationId, id: CaseId) =>
      holders.first(sql`
        SELECT assigned_to, assigned_at FROM cases
        WHERE organization_id = ${organizationId} AND id = ${id} AND NOT is_archived
          AND status = ANY(${pendingProviderStatuses}::text[])
      `),

    /** Marks a case as followed, and returns its snapshot. */
    follow: (organizationId: OrganizationId, id: CaseId) =>
      snapshots.first(sql`
        UPDATE cases SET is_followed = true WHERE organization_id = ${organizationId} AND id = ${id} RETURNING ${snapshot}
      `),

    /** Does the same with the newest unarchived case of the active person with an email (as `ReadingRepo` finds them). */
    followNewest: (organizationId: OrganizationId, email: string) =>
      snapshots.first(sql`
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

    /** Returns the snapshots of those cases that are followed. */
    snapshots: (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) =>
      snapshots.all(sql`
        SELECT ${snapshot} FROM cases WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[]) AND is_followed
      `),

    /** Locks cases until the transaction ends, and returns their state under the lock. */
    lock: (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) =>
      lockedCases.all(sql`
        SELECT id, user_id, status, is_archived, is_test, is_followed, assigned_to, assigned_at, created_at FROM cases
        WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
        ORDER BY id
        FOR NO KEY UPDATE
      `),

    /** Returns whether somebody is an active provider of the organization. */
    isProvider: (organizationId: OrganizationId, userId: UserId) =>
      affects(sql`SELECT true AS is_provider WHERE ${isProvider(sql, organizationId, sql`${userId}::uuid`)}`),

    /**
     * Stores a move of a locked case, and how it changes the loads of providers. The `sealer` seals the note of a closed case.
     */
    move: (
      sealer: Sealer,
      organizationId: OrganizationId,
      before: LockedCase,
      move: CaseMove,
      provenance: Provenance
    ) => {
      const changes = changesOf(move, provenance.now)
      const after = { ...before, ...changes }
      const previousProviderId = before.assignedTo === after.assignedTo ? null : before.assignedTo
      const details = {
        ...detailsOf(move),
        from: before.status,
        to: after.status,
        ...(previousProviderId !== null && { previousProviderId })
      }
      return execute(sql`
        WITH moved AS (
          UPDATE cases
          SET ${sql.update(cases.seal(sealer, { organizationId, id: before.id, ...changes }), ["organizationId", "id"])},
              ${caseChanged(sql, provenance.now)}
          WHERE organization_id = ${organizationId} AND id = ${before.id}
          RETURNING organization_id, id, status, activity_count, updated_at, user_id
        ), ${insertActivity(sql, moved, {
          ...provenance,
          type: caseTransitions[move.name].activity,
          details: sql`${JSON.stringify(details)}::jsonb`
        })}
        INSERT INTO provider_loads (organization_id, provider_id, case_count, last_assigned_at)
        SELECT ${organizationId}::uuid, "providerId", change, "assignedAt"
        FROM jsonb_to_recordset(${JSON.stringify(loadChangesOf(before, after))}::jsonb)
          AS load ("providerId" uuid, change integer, "assignedAt" timestamptz)
        ORDER BY "providerId"
        ON CONFLICT (organization_id, provider_id) DO UPDATE
        SET case_count = provider_loads.case_count + excluded.case_count,
            last_assigned_at = greatest(provider_loads.last_assigned_at, excluded.last_assigned_at)
      `)
    },

    /** Records an activity of a case, and returns the state of the case. */
    record: (organizationId: OrganizationId, id: CaseId, { details, type }: NewCaseActivity, provenance: Provenance) =>
      caseStates.first(sql`
        WITH moved AS (
          UPDATE cases SET ${caseChanged(sql, provenance.now)}
          WHERE organization_id = ${organizationId} AND id = ${id}
          RETURNING organization_id, id, activity_count, updated_at, user_id, status, is_archived, is_test
        ), ${insertActivity(sql, moved, { ...provenance, type, details: sql`${JSON.stringify(details)}::jsonb` })}
        SELECT user_id, status, is_archived, is_test FROM moved
      `),

    /** Stores what makes a locked case urgent, as its escalations and products are now. */
    updateUrgency: (organizationId: OrganizationId, id: CaseId) => {
      const ofCase = sql`organization_id = ${organizationId} AND case_id = ${id}`
      return execute(sql`
        UPDATE cases SET
          has_open_escalation = EXISTS (SELECT FROM escalations WHERE ${ofCase} AND NOT is_completed),
          due_on = (SELECT min(due_date) FROM case_products WHERE ${ofCase} AND status = ${openProduct})
        WHERE organization_id = ${organizationId} AND id = ${id}
      `)
    },

    hasOther: (organizationId: OrganizationId, userId: UserId, id: CaseId) =>
      affects(sql`
        SELECT id FROM cases WHERE organization_id = ${organizationId} AND user_id = ${userId} AND id <> ${id} LIMIT 1
      `),

    hasNewer: (organizationId: OrganizationId, userId: UserId, id: CaseId) =>
      affects(sql`
        SELECT newer.id FROM cases newer, cases c
        WHERE c.organization_id = ${organizationId} AND c.id = ${id}
          AND newer.organization_id = ${organizationId} AND newer.user_id = ${userId}
          AND (newer.created_at, newer.id) > (c.created_at, c.id)
        LIMIT 1
      `),

    hasAssigned: (organizationId: OrganizationId, userId: UserId, exceptId?: CaseId) =>
      affects(sql`
        SELECT id FROM cases
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND status = ANY(${providerStatuses}::text[])
          AND id IS DISTINCT FROM ${exceptId ?? null}::uuid
        LIMIT 1
      `)
  }
})

import { CaseActivity } from "@care/domain/cases"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"

/**
 * An entry of a case's activity, with the current case. `isSilent`: the case is closed or a test, and has no notices. `isSuperseded`: the
 * case was assigned again or released since.
 */
const NoticedActivity = Schema.Struct({
  ...Struct.pick(CaseActivity.fields, ["id", "sequence", "type", "details"]),
  organizationId: OrganizationId,
  caseId: CaseId,
  shortId: Schema.String,
  userId: UserId,
  isSilent: Schema.Boolean,
  isSuperseded: Schema.Boolean
})
export type NoticedActivity = typeof NoticedActivity.Type

const noticedActivities = rowsOf(NoticedActivity)

export const makeCaseNoticesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Returns the oldest entries that await a notice. It is unprepared, because a cached plan could be one for an empty table. */
    awaiting: (limit: number) =>
      noticedActivities.all(
        sql`
        SELECT a.organization_id, a.case_id, a.sequence, a.id, a.type, a.details, c.short_id, c.user_id,
               c.is_archived OR c.is_test AS is_silent,
               c.assigned_to IS NULL OR EXISTS (
                 SELECT FROM case_activity later
                 WHERE later.organization_id = a.organization_id AND later.case_id = a.case_id
                   AND later.sequence > a.sequence AND later.type = a.type
               ) AS is_superseded
        FROM (SELECT * FROM case_activity WHERE awaits_notice ORDER BY at, id LIMIT ${limit}) a
        JOIN cases c ON c.organization_id = a.organization_id AND c.id = a.case_id
        ORDER BY a.at, a.id
      `.unprepared
      ),

    /** Marks entries as done. They are locked in the order of the relay of events. Unprepared for the same reason. */
    endNotice: (activities: ReadonlyArray<NoticedActivity>) =>
      execute(
        sql`
        UPDATE case_activity SET awaits_notice = false
        FROM (
          SELECT activity.organization_id, activity.case_id, activity.sequence
          FROM jsonb_to_recordset(${JSON.stringify(activities)}::jsonb)
            AS entry ("organizationId" uuid, "caseId" uuid, sequence integer)
          JOIN case_activity activity
            ON activity.organization_id = entry."organizationId" AND activity.case_id = entry."caseId"
            AND activity.sequence = entry.sequence AND activity.awaits_notice
          ORDER BY activity.at, activity.organization_id, activity.case_id, activity.sequence
          FOR NO KEY UPDATE OF activity
        ) AS locked
        WHERE case_activity.organization_id = locked.organization_id AND case_activity.case_id = locked.case_id
          AND case_activity.sequence = locked.sequence
      `.unprepared
      )
  }
})

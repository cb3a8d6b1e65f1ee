import { CaseActivity } from "@care/domain/cases"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Something that happened to a case, and the case as it is now. `isSilent`: nobody is told of it, because it is closed or a
 * test. `isSuperseded`: it was given to somebody else since, or taken away.
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

const noticed = rowsOf(NoticedActivity)

export const makeNoticesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** The oldest of what awaits notice, whoever's case it happened to. Not by a plan for the table as it was once. */
    awaiting: (limit: number) =>
      noticed.all(
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

    /** Says that people were told, or that there is nobody to tell. Entries are locked in the order of the relay of events. */
    endNotice: (activities: ReadonlyArray<NoticedActivity>) =>
      execute(sql`
        UPDATE case_activity SET awaits_notice = false
        FROM (
          SELECT activity.organization_id, activity.case_id, activity.sequence
          FROM jsonb_to_recordset(${JSON.stringify(activities)}::jsonb)
            AS told ("organizationId" uuid, "caseId" uuid, sequence integer)
          JOIN case_activity activity
            ON activity.organization_id = told."organizationId" AND activity.case_id = told."caseId"
            AND activity.sequence = told.sequence AND activity.awaits_notice
          ORDER BY activity.at, activity.organization_id, activity.case_id, activity.sequence
          FOR NO KEY UPDATE OF activity
        ) AS told
        WHERE case_activity.organization_id = told.organization_id AND case_activity.case_id = told.case_id
          AND case_activity.sequence = told.sequence
      `)
  }
})

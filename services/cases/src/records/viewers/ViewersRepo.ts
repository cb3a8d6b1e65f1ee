import { type CaseId, type OrganizationId, UserId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const viewers = rowsOf(Schema.Struct({ viewerId: UserId, since: Schema.Date }))
const changes = rowsOf(Schema.Struct({ activityCount: Schema.Int }))

/** The most viewers of a case that are listed. */
const maxViewers = 100

export const makeViewersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Stores that somebody looks at a case. They have done so since they began, unless they were last seen before `gone`. */
    see: (organizationId: OrganizationId, caseId: CaseId, viewerId: UserId, now: Date, gone: Date) =>
      execute(sql`
        INSERT INTO case_viewers ${sql.insert({ organizationId, caseId, viewerId, since: now, seenAt: now })}
        ON CONFLICT (organization_id, case_id, viewer_id) DO UPDATE SET
          since = CASE WHEN case_viewers.seen_at < ${gone} THEN excluded.since ELSE case_viewers.since END,
          seen_at = excluded.seen_at
      `),

    /** Returns the number of the newest activity of a case. */
    lastChange: (organizationId: OrganizationId, caseId: CaseId) =>
      Effect.map(
        changes.one(sql`SELECT activity_count FROM cases WHERE organization_id = ${organizationId} AND id = ${caseId}`),
        ({ activityCount }) => activityCount
      ),

    leave: (organizationId: OrganizationId, caseId: CaseId, viewerId: UserId) =>
      execute(sql`
        DELETE FROM case_viewers
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND viewer_id = ${viewerId}
      `),

    /** Returns who else was seen since `gone`, longest first. */
    others: (organizationId: OrganizationId, caseId: CaseId, viewerId: UserId, gone: Date) =>
      viewers.all(sql`
        SELECT viewer_id, since FROM case_viewers
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND viewer_id <> ${viewerId} AND seen_at >= ${gone}
        ORDER BY since, viewer_id
        LIMIT ${maxViewers}
      `)
  }
})

import { DayOfRequests } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const days = rowsOf(DayOfRequests)

/** SQL of the days of the request log of one organization. */
export const makeRequestDaysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // By the index of the class of status: a count costs as much as it counts.
  const counted = (organizationId: OrganizationId, statusClass: number) => sql`(
    SELECT count(*)::integer FROM request_logs
    WHERE organization_id = ${organizationId} AND status / 100 = ${statusClass}
      AND at >= begun_at AND at < begun_at + interval '24 hours'
  )`
  return {
    /** Returns the days with requests since the beginning of one. */
    since: (organizationId: OrganizationId, begunAt: Date) =>
      days.all(sql`
        SELECT begun_at, stored AS requests, is_complete,
               ${counted(organizationId, 4)} AS refused, ${counted(organizationId, 5)} AS failed
        FROM request_log_days
        WHERE organization_id = ${organizationId} AND begun_at >= ${begunAt}
      `)
  }
})

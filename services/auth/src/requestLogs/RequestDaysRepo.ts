import { DayOfRequests } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const days = rowsOf(DayOfRequests)

/** SQL of the days of the request log of one organization. */
export const makeRequestDaysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Returns the days with requests since the beginning of one. Only requests that were not answered as asked are counted one by one. */
    since: (organizationId: OrganizationId, begunAt: Date) =>
      days.all(sql`
        SELECT begun_at, stored AS requests, coalesce(refused, 0) AS refused, coalesce(failed, 0) AS failed, is_complete
        FROM request_log_days
        LEFT JOIN (
          SELECT date_bin('1 day', at, 'epoch'::timestamptz) AS begun_at,
                 count(*) FILTER (WHERE status / 100 = 4)::integer AS refused,
                 count(*) FILTER (WHERE status / 100 = 5)::integer AS failed
          FROM request_logs
          WHERE organization_id = ${organizationId} AND status / 100 IN (4, 5) AND at >= ${begunAt}
          GROUP BY 1
        ) AS counted USING (begun_at)
        WHERE organization_id = ${organizationId} AND begun_at >= ${begunAt}
      `)
  }
})

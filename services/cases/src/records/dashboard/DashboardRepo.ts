import { type CaseStatus, unassignedStatus } from "@care/domain/cases"
import { maxCounted } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"

const Count = Schema.Natural

const counts = rowsOf(
  Schema.Struct({
    underOneHour: Count,
    underFourHours: Count,
    underOneDay: Count,
    longer: Count,
    inProgress: Count,
    escalationsOpen: Count,
    ordersInError: Count,
    deliveriesFailed: Count,
    endpointsFailing: Count,
    endpointsDisabled: Count,
    lastChangeAt: Schema.NullOr(Schema.Date)
  })
)

/** When the cases came that wait for an hour, for four, and for a day. */
interface Ages {
  readonly oneHour: Date
  readonly fourHours: Date
  readonly oneDay: Date
}

/** SQL of the dashboard. Each count reads an index up to its end, and no more. */
export const makeDashboardRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Literals, so that partial indexes apply.
  const inStatus = (status: CaseStatus) => sql.literal(`'${status}'`)

  const counted = (rows: Statement.Fragment) =>
    sql`(SELECT count(*)::integer FROM (SELECT ${rows} LIMIT ${maxCounted}) AS counted)`

  // The order of the indexes, without which the planner might scan a table where it expects to find enough soon.
  const inOrder = sql.literal("ORDER BY created_at, id")

  return {
    counts: (organizationId: OrganizationId, { fourHours, oneDay, oneHour }: Ages) => {
      const ofOrganization = sql`organization_id = ${organizationId}`
      const waiting = (age: Statement.Fragment) =>
        counted(
          sql`FROM cases WHERE ${ofOrganization} AND NOT is_archived AND NOT is_test AND status = ${inStatus(unassignedStatus)} AND ${age} ${inOrder}`
        )
      return counts.one(
        sql`
          SELECT
            ${waiting(sql`created_at >= ${oneHour}`)} AS under_one_hour,
            ${waiting(sql`created_at >= ${fourHours} AND created_at < ${oneHour}`)} AS under_four_hours,
            ${waiting(sql`created_at >= ${oneDay} AND created_at < ${fourHours}`)} AS under_one_day,
            ${waiting(sql`created_at < ${oneDay}`)} AS longer,
            ${counted(sql`FROM cases WHERE ${ofOrganization} AND is_archived = false AND status = ${inStatus("IN_PROGRESS")} ${inOrder}`)} AS in_progress,
            ${counted(sql`FROM escalations WHERE ${ofOrganization} AND is_completed = false ${inOrder}`)} AS escalations_open,
            ${counted(sql`FROM orders WHERE ${ofOrganization} AND status = 'ERROR' ${inOrder}`)} AS orders_in_error,
            ${counted(sql`
              FROM (SELECT id FROM webhook_endpoints WHERE ${ofOrganization}) AS endpoint
              CROSS JOIN LATERAL (
                SELECT FROM webhook_deliveries
                WHERE ${ofOrganization} AND endpoint_id = endpoint.id AND status = 'FAILED' ORDER BY created_at DESC, id DESC LIMIT ${maxCounted}
              ) AS delivery
            `)} AS deliveries_failed,
            ${counted(sql`FROM webhook_endpoints WHERE ${ofOrganization} AND is_enabled AND failing_since IS NOT NULL`)} AS endpoints_failing,
            ${counted(sql`FROM webhook_endpoints WHERE ${ofOrganization} AND disabled_reason IS NOT NULL`)} AS endpoints_disabled,
            (SELECT max(updated_at) FROM cases WHERE ${ofOrganization}) AS last_change_at
        `.unprepared
      )
    }
  }
})

import {
  assignedStatus,
  type CaseStatus,
  maxTroubles,
  OrganizationTroubles,
  type TroublesPosition,
  unassignedStatus
} from "@care/domain/cases"
import { rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

const rows = rowsOf(OrganizationTroubles)

/** What is listed: after a position, cases that were created before a time. */
interface TroublesSearch {
  readonly after: TroublesPosition | undefined
  readonly createdBefore: Date
  readonly limit: number
}

/** SQL of the troubles of all live organizations. It reads a bounded number of entries of indexes for each organization. */
export const makeTroublesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Literals, so that partial indexes apply.
  const inStatus = (status: CaseStatus) => sql.literal(`'${status}'`)

  const counted = (found: Statement.Fragment) =>
    sql`(SELECT count(*)::integer FROM (SELECT ${found} LIMIT ${maxTroubles}) AS found)`

  // The order of the indexes, without which the planner might scan a table where it expects to find enough soon.
  const inOrder = sql.literal("ORDER BY created_at, id")

  const waiting = (status: CaseStatus, createdBefore: Date) => sql`
    (
      SELECT FROM cases
      WHERE organization_id = organization.id AND NOT is_archived AND status = ${inStatus(status)}
        AND created_at < ${createdBefore}
      ${inOrder} LIMIT ${maxTroubles}
    )
  `

  // Everything that can go wrong here begins with a case. Of the primary key of cases one entry of each organization is read.
  const organizations = sql`
    WITH RECURSIVE organization (id) AS (
      (SELECT organization_id FROM cases ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (SELECT organization_id FROM cases WHERE organization_id > last.id ORDER BY organization_id LIMIT 1)
      FROM organization AS last WHERE last.id IS NOT NULL
    )
  `

  return {
    list: ({ after, createdBefore, limit }: TroublesSearch) =>
      rows.all(
        sql`
          ${organizations}, counted AS (
            SELECT
              id AS organization_id,
              ${counted(sql`
                FROM (SELECT id FROM webhook_endpoints WHERE organization_id = organization.id) AS endpoint
                CROSS JOIN LATERAL (
                  SELECT FROM webhook_deliveries
                  WHERE organization_id = organization.id AND endpoint_id = endpoint.id AND status = 'FAILED'
                  ORDER BY created_at DESC, id DESC LIMIT ${maxTroubles}
                ) AS delivery
              `)} AS deliveries_failed,
              ${counted(sql`
                FROM webhook_endpoints
                WHERE organization_id = organization.id
                  AND ((is_enabled AND failing_since IS NOT NULL) OR disabled_reason IS NOT NULL)
              `)} AS endpoints_failing,
              ${counted(sql`FROM orders WHERE organization_id = organization.id AND status = 'ERROR' ${inOrder}`)} AS orders_in_error,
              ${counted(sql`FROM escalations WHERE organization_id = organization.id AND is_completed = false ${inOrder}`)} AS escalations_open,
              ${counted(sql`
                FROM (${waiting(unassignedStatus, createdBefore)} UNION ALL ${waiting(assignedStatus, createdBefore)}) AS waiting
              `)} AS cases_waiting
            FROM organization
            WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM test_organizations AS test WHERE test.organization_id = organization.id)
          ), summed AS (
            SELECT *, deliveries_failed + endpoints_failing + orders_in_error + escalations_open + cases_waiting AS total
            FROM counted
          )
          SELECT * FROM summed
          WHERE total > 0 AND ${
            after === undefined
              ? sql`true`
              : sql`(total < ${after.total} OR (total = ${after.total} AND organization_id > ${after.organizationId}))`
          }
          ORDER BY total DESC, organization_id LIMIT ${limit}
        `.unprepared
      )
  }
})

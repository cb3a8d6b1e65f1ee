import {
  assignedStatus,
  type CaseAge,
  type CaseStatus,
  caseAges,
  createdAtAge,
  unassignedStatus
} from "@care/domain/cases"
import { maxCounted } from "@care/domain/http"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { fitsLicence, seenBy } from "../../case/index.ts"

const Count = Schema.Natural

const CountsByAge = Schema.toCodecJson(
  Schema.Struct({ underOneHour: Count, underFourHours: Count, underOneDay: Count, longer: Count })
)

const counts = rowsOf(
  Schema.Struct({
    waiting: CountsByAge,
    assigned: CountsByAge,
    inProgress: Count,
    escalationsOpen: Count,
    ordersInError: Count,
    deliveriesFailed: Count,
    endpointsFailing: Count,
    endpointsDisabled: Count,
    lastChangeAt: Schema.NullOr(Schema.Date)
  })
)

const lastChanges = rowsOf(Schema.Struct({ lastChangeAt: Schema.NullOr(Schema.Date) }))

/** SQL of the dashboard. Each count reads an index up to its end, and no more. */
export const makeDashboardRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Literals, so that partial indexes apply.
  const inStatus = (status: CaseStatus) => sql.literal(`'${status}'`)

  const counted = (rows: Statement.Fragment) =>
    sql`(SELECT count(*)::integer FROM (SELECT ${rows} LIMIT ${maxCounted}) AS counted)`

  // The order of the indexes, without which the planner might scan a table where it expects to find enough soon.
  const inOrder = sql.literal("ORDER BY created_at, id")

  // The first rows, of which a provider sees some.
  const ofFirst = (rows: Statement.Fragment, isSeen: Statement.Fragment) =>
    sql`FROM (SELECT * ${rows} LIMIT ${maxCounted}) AS examined WHERE ${isSeen}`

  const lastChangeOf = (ofOrganization: Statement.Fragment) =>
    sql`(SELECT max(updated_at) FROM cases WHERE ${ofOrganization}) AS last_change_at`

  return {
    /** Returns when a case of an organization last changed, which is one entry of an index. */
    lastChange: (organizationId: OrganizationId) =>
      lastChanges.one(sql`SELECT ${lastChangeOf(sql`organization_id = ${organizationId}`)}`.unprepared),

    /** Counts what waits to be done; for a provider only the cases and escalations that they may see, as the lists of these show them. */
    counts: (organizationId: OrganizationId, provider: UserId | undefined, now: Date) => {
      const ofOrganization = sql`organization_id = ${organizationId}`
      const inState = (status: CaseStatus, more: Statement.Fragment) =>
        sql`FROM cases WHERE ${ofOrganization} AND is_archived = false AND status = ${inStatus(status)} AND ${more} ${inOrder}`
      const theirs = provider === undefined ? sql.literal("true") : sql`assigned_to = ${provider}`
      const waiting = (age: Statement.Fragment) => {
        const rows = inState(unassignedStatus, age)
        return provider === undefined ? rows : ofFirst(rows, fitsLicence(sql, sql`examined`, provider))
      }
      const assigned = (age: Statement.Fragment) => inState(assignedStatus, sql`${theirs} AND ${age}`)
      const escalations = sql`FROM escalations WHERE ${ofOrganization} AND is_completed = false ${inOrder}`
      const seenEscalations =
        provider === undefined
          ? escalations
          : ofFirst(
              escalations,
              sql`EXISTS (
                SELECT FROM cases
                WHERE ${ofOrganization} AND cases.id = examined.case_id AND ${seenBy(sql, sql`cases`, provider)}
              )`
            )
      const ofAge = (age: CaseAge, rows: (age: Statement.Fragment) => Statement.Fragment) => {
        const { before, since } = createdAtAge(age, now.getTime())
        const ends = [
          ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
          ...(before === undefined ? [] : [sql`created_at < ${before}`])
        ]
        return sql`${age}::text, ${counted(rows(sql.join(" AND ", false)(ends)))}`
      }
      const byAge = (rows: (age: Statement.Fragment) => Statement.Fragment) =>
        sql`json_build_object(${sql.csv(Struct.keys(caseAges).map((age) => ofAge(age, rows)))})`
      return counts.one(
        sql`
          SELECT
            ${byAge(waiting)} AS waiting,
            ${byAge(assigned)} AS assigned,
            ${counted(inState("IN_PROGRESS", theirs))} AS in_progress,
            ${counted(seenEscalations)} AS escalations_open,
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
            ${lastChangeOf(ofOrganization)}
        `.unprepared
      )
    }
  }
})

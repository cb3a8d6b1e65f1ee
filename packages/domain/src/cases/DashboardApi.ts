import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { organizationNotFound } from "../auth/OrganizationsApi.ts"
import { EntityTag } from "../http/annotations.ts"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { maxCounted } from "../http/maxCounted.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { operatorErrors } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId } from "../Ids.ts"

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxCounted }))
const count = (description: string) => Count.annotate({ description })

const countsByAge = (description: string) =>
  Schema.Struct({
    underOneHour: Count,
    underFourHours: Count,
    underOneDay: Count,
    longer: Count
  }).annotate({ description })

/** How much there is to do for an organization. A provider's counts of cases and escalations are of what they may see. */
export const Dashboard = Schema.Struct({
  waiting: countsByAge("Cases that wait for a provider, each counted once, by their age"),
  assigned: countsByAge(
    "Cases that a provider has and has not begun, by their age; for a provider those that are theirs"
  ),
  inProgress: count("Cases that a provider works on; for a provider those that are theirs"),
  escalationsOpen: count("Escalations that are not completed"),
  ordersInError: count("Orders with the status ERROR"),
  deliveriesFailed: count("Webhook deliveries of the last 30 days that were given up"),
  endpointsFailing: count("Enabled webhook endpoints whose last attempt failed"),
  endpointsDisabled: count("Webhook endpoints that were disabled automatically"),
  paymentsHeld: Schema.NullOr(Count).annotate({
    description: "Authorized payments that wait for a capture or a release; null while payments does not answer"
  }),
  lastChangeAt: Schema.NullOr(Timestamp).annotate({
    description: "When a case last changed, so that lists of cases need not be read again before; null without cases"
  })
}).annotate({ identifier: "Dashboard" })
export type Dashboard = typeof Dashboard.Type

export class DashboardApi extends HttpApiGroup.make("dashboard")
  .add(
    HttpApiEndpoint.get("read", "/admin/v1/dashboard", {
      query: { organizationId: OrganizationId },
      headers: { "if-none-match": Schema.optionalKey(textUpTo(lengths.line)) },
      success: [Dashboard, HttpApiSchema.Empty(304)],
      error: [...operatorErrors, organizationNotFound]
    })
      .annotate(EntityTag, true)
      .annotate(StandbyRead, standbyReads.counts)
      .annotate(OpenApi.Summary, "Read the dashboard")
      .annotate(
        OpenApi.Description,
        `Count what waits to be done for an organization, test cases included. A count ends at ${maxCounted}, which means that many or more. A provider's counts of cases and escalations have only those that they may see, of the first ${maxCounted}. Without a change of a case the ETag stays for up to a minute, and nothing is counted.`
      )
  )
  .annotate(OpenApi.Title, "Admin: dashboard")
  .annotate(OpenApi.Description, "How much there is to do.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

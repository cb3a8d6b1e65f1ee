import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { broken, keyRefused, parametersRefused } from "../http/commonErrors.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { ok } from "../http/ok.ts"
import { PageCursor, pageOf } from "../http/Page.ts"
import { operatorErrors } from "../http/Problem.ts"
import { OrganizationId } from "../Ids.ts"
import {
  DayOfRequests,
  LoggedRequest,
  RequestLogOutcome,
  RequestLogRefused,
  RequestLogsQuery,
  RequestLogText,
  requestLogDays,
  requestsLoggedADay
} from "./RequestLog.ts"

const isComplete = Schema.Boolean.annotate({
  description: `False if requests of this time are missing, because there were more than ${requestsLoggedADay} in a day, or too many at once`
})

const about = `requests with a valid API key of the last ${requestLogDays} days, newest first, about a second after their responses. Requests for this list are not in it.`

/** Partner API: the requests of an organization. */
export class RequestLogsApi extends HttpApiGroup.make("requestLogs")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/request-logs", {
      query: RequestLogsQuery,
      success: ok({
        data: Schema.Array(LoggedRequest),
        nextCursor: Schema.NullOr(PageCursor),
        isComplete
      }),
      error: [...keyRefused, parametersRefused, ...broken]
    })
      .annotate(OpenApi.Summary, "List requests")
      .annotate(OpenApi.Description, `Lists your ${about}`)
  )
  .annotate(OpenApi.Title, "Request log")
  .annotate(OpenApi.Description, "The organization's own requests, without their contents.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

/** Admin API: the same, for developers and administrators of the organization. */
export class AdminRequestLogsApi extends HttpApiGroup.make("adminRequestLogs")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/request-logs", {
      query: { ...RequestLogsQuery, organizationId: OrganizationId },
      success: Schema.Struct({ ...pageOf(LoggedRequest).fields, isComplete }),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List requests of an organization")
      .annotate(OpenApi.Description, `List an organization's ${about}`),
    HttpApiEndpoint.get("days", "/admin/v1/request-logs/days", {
      query: { organizationId: OrganizationId },
      success: Schema.Struct({ data: Schema.Array(DayOfRequests), nextCursor: Schema.Null }),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "Count the requests of an organization by day")
      .annotate(
        OpenApi.Description,
        `Count an organization's requests of the last ${requestLogDays} days, oldest first.`
      )
  )
  .annotate(OpenApi.Title, "Admin: request log")
  .annotate(OpenApi.Description, "The requests of organizations to the partner API.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

/** Internal: what the gateway logs. */
export class LoggedRequestsApi extends HttpApiGroup.make("loggedRequests")
  .add(
    HttpApiEndpoint.post("store", "/internal/v1/request-logs", {
      payload: RequestLogText.pipe(HttpApiSchema.asText({ contentType: "application/json" })),
      success: RequestLogOutcome,
      error: RequestLogRefused.pipe(HttpApiSchema.status(400))
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

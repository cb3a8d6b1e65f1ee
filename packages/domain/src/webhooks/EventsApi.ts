import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { ok, saying } from "../http/ok.ts"
import { PageQuery } from "../http/Page.ts"
import { CaseId, WebhookEventId } from "../Ids.ts"
import { WebhookEventNotFound } from "./errors.ts"
import { ListedWebhookEvent } from "./WebhookEvent.ts"
import { webhookErrors } from "./webhookErrors.ts"

/** The filters of events: a case, and only those after the event with the id `after`. */
const EventsQuery = {
  caseId: Schema.optionalKey(CaseId),
  after: Schema.optionalKey(WebhookEventId),
  limit: PageQuery.limit
}

/** Partner API: the events of an organization, for polling instead of webhooks. */
export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/events", {
      query: EventsQuery,
      success: ok({
        message: saying("Events retrieved"),
        data: Schema.Array(ListedWebhookEvent),
        nextCursor: Schema.NullOr(WebhookEventId)
      }),
      error: [...webhookErrors, invalidRequest(WebhookEventNotFound, 400, "after, is no event of the last 30 days")]
    })
      .annotate(OpenApi.Summary, "List events")
      .annotate(
        OpenApi.Description,
        "Lists the organization's events of the last 30 days, oldest first, whether or not an endpoint received them. New events are only added at the end, so you miss none if you pass the last event that you know as `after`. `nextCursor` is the `after` of the next page, or null if there are no more events yet. The list of an unknown case is empty. Events of test cases are included, with `isTest`; endpoints receive them only with `includeTestCases`."
      )
  )
  .annotate(OpenApi.Title, "Events")
  .annotate(
    OpenApi.Description,
    "The events of cases: ids, statuses and times. The section `webhooks` of this document describes each type."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

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
        "What the organization was told of by webhooks, or would have been had it an endpoint for it, in the order in which it is told: the oldest of the last 30 days first. Nothing ever comes before what was answered already, so that who asks for what is `after` the last event that they know misses none. `nextCursor` is what to ask `after` for the rest; null when this is all so far. The list of a case that is not known is empty. Events of test cases are listed, too, as `isTest`; endpoints are told of them only with `includeTestCases`."
      )
  )
  .annotate(OpenApi.Title, "Events")
  .annotate(
    OpenApi.Description,
    "What happens to cases, as webhooks tell it: ids, statuses and times. The section `webhooks` of this document says what is sent."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

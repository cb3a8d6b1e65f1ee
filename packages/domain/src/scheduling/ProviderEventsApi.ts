import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { ExternalJson } from "../http/JsonAnswer.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { ok } from "../http/ok.ts"
import { brokenProblems, problem, requestProblem } from "../http/Problem.ts"
import { requestExample } from "../http/requestExample.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"

/** An event of the scheduling provider. Its payload is decoded only for events of appointments. */
export const ProviderEvent = Schema.Struct({
  event: nonBlankUpTo(lengths.name),
  created_at: Timestamp,
  payload: ExternalJson
}).annotate({ identifier: "SchedulingProviderEvent" })
export type ProviderEvent = typeof ProviderEvent.Type

/** The event is not signed by the scheduling provider, or its signature is older than 3 minutes. */
export class ProviderEventRejected extends Schema.TaggedError<ProviderEventRejected>()("ProviderEventRejected", {}) {}

/** Checks the scheduling provider's signature. The endpoint lists `ProviderEventRejected`. */
export class ProviderSignature extends HttpApiMiddleware.Service<ProviderSignature>()(
  "@care/domain/scheduling/ProviderSignature"
) {}

const api = "https://api.calendly.com/scheduled_events/f2b1c9a0-5d0e-4f0b-9f7e-6a1f0c7a2c11"

const eventExample = {
  event: "invitee.canceled",
  created_at: "2026-08-04T08:10:00.000000Z",
  payload: { uri: `${api}/invitees/9f0a`, event: api, status: "canceled", rescheduled: false, old_invitee: null }
}

/** Events of the scheduling provider. */
export class ProviderEventsApi extends HttpApiGroup.make("providerEvents")
  .add(
    HttpApiEndpoint.post("received", "/webhooks/scheduling", {
      headers: { "calendly-webhook-signature": nonBlankUpTo(lengths.paragraph) },
      payload: ProviderEvent,
      success: ok({}),
      error: [
        requestProblem,
        problem(
          ProviderEventRejected,
          401,
          "The signature is not valid",
          "Sign the body as Calendly does (Calendly-Webhook-Signature), not more than 3 minutes ago."
        ),
        ...brokenProblems
      ]
    })
      .middleware(ProviderSignature)
      .annotate(OpenApi.Transform, requestExample(eventExample))
      .annotate(OpenApi.Summary, "Report an event of an appointment")
      .annotate(
        OpenApi.Description,
        "Receives the events of the scheduling provider, which signs them (SCHEDULING_WEBHOOK_SECRET). An event takes effect once, and events may arrive in any order. An event that concerns no known appointment is accepted and ignored."
      )
  )
  .annotate(OpenApi.Title, "Scheduling provider")
  .annotate(OpenApi.Description, "The events of the scheduling provider.")
  .middleware(DocumentedErrors)
  .middleware(callers.scheduling.Access) {}

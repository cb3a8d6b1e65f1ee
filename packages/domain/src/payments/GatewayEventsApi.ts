import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { ok } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { brokenProblems, operatorErrors, problem, requestProblem } from "../http/Problem.ts"
import { requestExample } from "../http/requestExample.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { PaymentId } from "../Ids.ts"
import { paymentNotFound } from "./AdminPaymentsApi.ts"
import { GatewayEvent, ReceivedEvent } from "./GatewayEvent.ts"

/** The event is not signed by the gateway, or its signature is older than 5 minutes. */
export class EventRejected extends Schema.TaggedError<EventRejected>()("EventRejected", {}) {}

/** The event is written in another version of the gateway's API than the supported one. */
export class EventOfOtherVersion extends Schema.TaggedError<EventOfOtherVersion>()("EventOfOtherVersion", {
  eventVersion: Schema.String,
  supportedVersion: Schema.String
}) {}

/** Checks the gateway's signature. The endpoint lists `EventRejected`. */
export class StripeSignature extends HttpApiMiddleware.Service<StripeSignature>()(
  "@care/domain/payments/StripeSignature"
) {}

const eventExample = {
  id: "evt_1PqGkI2eZvKYlo2C",
  type: "payment_intent.succeeded",
  created: 1785578400,
  data: {
    object: { id: "pi_3PqGkI2eZvKYlo2C", object: "payment_intent", status: "succeeded", amount: 29999, currency: "usd" }
  }
}

/** Events of the payment gateway. */
export class GatewayEventsApi extends HttpApiGroup.make("gatewayEvents")
  .add(
    HttpApiEndpoint.post("received", "/webhooks/stripe", {
      headers: { "stripe-signature": nonBlankUpTo(lengths.paragraph) },
      payload: GatewayEvent,
      success: ok({}),
      error: [
        requestProblem,
        problem(
          EventRejected,
          401,
          "The signature is not valid",
          "Sign the body as Stripe does (Stripe-Signature), not more than 5 minutes ago."
        ),
        problem(
          EventOfOtherVersion,
          400,
          "The event is of another API version",
          ({ eventVersion, supportedVersion }) =>
            `The event is written in ${eventVersion}; ${supportedVersion} is read here. Register the webhook endpoint at Stripe with api_version ${supportedVersion}, and set STRIPE_WEBHOOK_SECRET to its signing secret.`
        ),
        ...brokenProblems
      ]
    })
      .middleware(StripeSignature)
      .annotate(OpenApi.Transform, requestExample(eventExample))
      .annotate(OpenApi.Summary, "Report an event of a payment")
      .annotate(
        OpenApi.Description,
        "Receives the events of the payment gateway, which signs them (STRIPE_WEBHOOK_SECRET). An event takes effect once, and events may arrive in any order. An event that concerns no payment is accepted and ignored; an event of another version of Stripe's API is refused."
      )
  )
  .annotate(OpenApi.Title, "Payment gateway")
  .annotate(OpenApi.Description, "The events of the payment gateway.")
  .middleware(DocumentedErrors)
  .middleware(callers.stripe.Access) {}

/** The received events of the payment gateway, for operators. */
export class AdminGatewayEventsApi extends HttpApiGroup.make("adminGatewayEvents")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/payment-events", {
      query: { ...PageQuery, paymentId: Schema.optionalKey(PaymentId) },
      success: pageOf(ReceivedEvent),
      error: [...operatorErrors, paymentNotFound]
    })
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List gateway events")
      .annotate(
        OpenApi.Description,
        "List the received events of the payment gateway and their effects, newest first. paymentId selects the events of a payment's intent. Events are stored for 90 days."
      )
  )
  .annotate(OpenApi.Title, "Admin: gateway events")
  .annotate(OpenApi.Description, "The events of the payment gateway, and their effects.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

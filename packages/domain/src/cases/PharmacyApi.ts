import { Context, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { ok } from "../http/ok.ts"
import { brokenProblems, problem, requestProblem } from "../http/Problem.ts"
import { requestExample } from "../http/requestExample.ts"
import { shownIds } from "../http/shownIds.ts"
import { externalTextUpTo, nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrderId } from "../Ids.ts"
import { orderNotFound } from "./AdminOrdersApi.ts"
import { OrderStatus, orderUpdateIn } from "./Order.ts"

/** The callback is not signed by the pharmacy, or its signature is older than 5 minutes. */
export class CallbackRejected extends Schema.TaggedError<CallbackRejected>()("CallbackRejected", {}) {}

/** The event of a callback. */
export class PharmacyEvent extends Context.Service<PharmacyEvent, { readonly id: string }>()(
  "@care/domain/cases/PharmacyEvent"
) {}

/** Checks the pharmacy's signature (Standard Webhooks). The endpoint lists `CallbackRejected`. */
export class PharmacySignature extends HttpApiMiddleware.Service<PharmacySignature, { provides: PharmacyEvent }>()(
  "@care/domain/cases/PharmacySignature"
) {}

/** A pharmacy's report about an order, as of `timestamp`. */
export const PharmacyUpdate = Schema.Struct({
  type: Schema.Literal("order.updated"),
  timestamp: Timestamp,
  data: Schema.Struct({
    externalId: OrderId,
    status: Schema.optional(OrderStatus.pick(["SUBMITTED", "SHIPPED", "DELIVERED", "CANCELED", "ERROR"])),
    ...orderUpdateIn(externalTextUpTo)
  })
}).annotate({ identifier: "PharmacyUpdate" })
export type PharmacyUpdate = typeof PharmacyUpdate.Type

const updateExample = {
  type: "order.updated",
  timestamp: "2026-08-04T08:10:00.000Z",
  data: {
    externalId: shownIds.order,
    status: "SHIPPED",
    trackingId: "1Z999AA10123456784",
    carrierName: "UPS",
    shippingLog: { location: "Memphis, TN", message: "Departed from the warehouse", status: "IN_TRANSIT" }
  }
}

const signatureHeader = nonBlankUpTo(lengths.reference)

/** Reports of the pharmacy about orders. */
export class PharmacyApi extends HttpApiGroup.make("pharmacy")
  .add(
    HttpApiEndpoint.post("orderUpdated", "/webhooks/pharmacy", {
      headers: {
        "webhook-id": signatureHeader,
        "webhook-timestamp": signatureHeader,
        "webhook-signature": signatureHeader
      },
      payload: PharmacyUpdate,
      success: ok({}),
      error: [
        requestProblem,
        problem(
          CallbackRejected,
          401,
          "The signature is not valid",
          "Sign the body as Standard Webhooks says, not more than 5 minutes ago."
        ),
        orderNotFound,
        ...brokenProblems
      ]
    })
      .middleware(PharmacySignature)
      .annotate(OpenApi.Transform, requestExample(updateExample))
      .annotate(OpenApi.Summary, "Report the status of an order")
      .annotate(
        OpenApi.Description,
        "Receives the events of the pharmacy, which signs them (Standard Webhooks, PHARMACY_WEBHOOK_SECRET). An event (`webhook-id`) takes effect once. A late event does not move an order back. An event of an unknown order (404) may be sent again later."
      )
  )
  .annotate(OpenApi.Title, "Pharmacy")
  .annotate(OpenApi.Description, "The events of the pharmacy.")
  .middleware(DocumentedErrors)
  .middleware(callers.pharmacy.Access) {}

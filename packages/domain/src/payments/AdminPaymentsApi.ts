import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { anyCase } from "../http/Text.ts"
import { CaseId, OrganizationId, PaymentId } from "../Ids.ts"
import { AdminPayment, PartOfPayment, PaymentRefund } from "./AdminPayment.ts"
import {
  GatewayRefused,
  PaymentAmountTooHigh,
  PaymentNotAtGateway,
  PaymentNotFound,
  PaymentOperationPending,
  PaymentRefundedOtherwise,
  PaymentStatusConflict
} from "./errors.ts"
import { PaymentStatus } from "./PaymentStatus.ts"

/** 404 of an unknown payment, for operators. */
export const paymentNotFound = problem(
  PaymentNotFound,
  404,
  "Payment not found",
  ({ paymentId }) => `No payment has the id ${paymentId}.`
)

const params = { paymentId: PaymentId }

/** The filters of payments. All of them apply. */
export const PaymentsQuery = {
  ...PageQuery,
  caseId: Schema.optionalKey(CaseId),
  organizationId: Schema.optionalKey(OrganizationId),
  status: Schema.optionalKey(anyCase(PaymentStatus))
}
export type PaymentsQuery = Schema.Struct.Type<typeof PaymentsQuery>

const operationErrors = [
  ...operatorErrors,
  paymentNotFound,
  problem(
    PaymentStatusConflict,
    409,
    "The payment's status does not allow this",
    ({ needed, status }) => `The payment is ${status}; it would have to be ${needed.join(" or ")}.`
  ),
  problem(
    PaymentNotAtGateway,
    409,
    "The payment is not at the gateway",
    "Nothing was held or taken for it by the payment gateway."
  ),
  problem(
    PaymentOperationPending,
    409,
    "The payment is being worked on",
    ({ operation }) => `What became of ${operation} is not known yet. It is settled within minutes.`
  ),
  problem(GatewayRefused, 409, "The gateway refused", ({ code }) => `Nothing was changed: the gateway says ${code}.`)
] as const

const amountErrors = [
  problem(PaymentAmountTooHigh, 422, "The amount is too high", ({ most }) => `At most ${most} is possible.`)
] as const

export class AdminPaymentsApi extends HttpApiGroup.make("adminPayments")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/payments", {
      query: PaymentsQuery,
      success: pageOf(AdminPayment),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List payments")
      .annotate(
        OpenApi.Description,
        "List payments, newest first: those to which everything applies that is given, of all organizations when none is named."
      ),
    HttpApiEndpoint.get("get", "/admin/v1/payments/:paymentId", {
      params,
      success: AdminPayment,
      error: [...operatorErrors, paymentNotFound]
    })
      .annotate(OpenApi.Summary, "Show a payment")
      .annotate(OpenApi.Description, "Show a payment, with what the gateway told of it."),
    HttpApiEndpoint.post("capture", "/admin/v1/payments/:paymentId/capture", {
      params,
      payload: PartOfPayment,
      success: AdminPayment,
      error: [...operationErrors, ...amountErrors]
    })
      .annotate(OpenApi.Summary, "Capture a payment")
      .annotate(
        OpenApi.Description,
        "Take what is held for a payment (AUTHORIZED), or a part of it: the rest is released. How long it is held the gateway says (`gateway.captureBefore`)."
      ),
    HttpApiEndpoint.post("release", "/admin/v1/payments/:paymentId/release", {
      params,
      success: AdminPayment,
      error: operationErrors
    })
      .annotate(OpenApi.Summary, "Release a payment")
      .annotate(OpenApi.Description, "Let go what is held for a payment (AUTHORIZED): it is CANCELED."),
    HttpApiEndpoint.post("refund", "/admin/v1/payments/:paymentId/refund", {
      params,
      payload: PaymentRefund,
      success: AdminPayment,
      error: [
        ...operationErrors,
        problem(
          PaymentRefundedOtherwise,
          409,
          "Another amount was given back",
          ({ refunded }) => `${refunded} is what was given back by now. Nothing was changed.`
        ),
        ...amountErrors
      ]
    })
      .annotate(OpenApi.Summary, "Refund a payment")
      .annotate(
        OpenApi.Description,
        "Give back what was taken for a payment, all that is left of it or a part: it is REFUND, of whatever part. Once it is known to be given back, the same part again is given back again, unless you say with `refunded` how much was given back before. While that is not known (503), the same request again gives back nothing twice."
      )
  )
  .annotate(OpenApi.Title, "Admin: payments")
  .annotate(
    OpenApi.Description,
    "The payments of all organizations, and what is done with them at the gateway. After a 503 the same request may be made again 2 seconds later: it is the same operation, and takes effect once."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

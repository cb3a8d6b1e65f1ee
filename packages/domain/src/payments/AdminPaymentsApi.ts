import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
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
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List payments")
      .annotate(
        OpenApi.Description,
        "List payments, newest first. All given filters apply; without organizationId, payments of all organizations are listed."
      ),
    HttpApiEndpoint.get("get", "/admin/v1/payments/:paymentId", {
      params,
      success: AdminPayment,
      error: [...operatorErrors, paymentNotFound]
    })
      .annotate(OpenApi.Summary, "Show a payment")
      .annotate(OpenApi.Description, "Show a payment with its state at the payment gateway."),
    HttpApiEndpoint.post("capture", "/admin/v1/payments/:paymentId/capture", {
      params,
      payload: PartOfPayment,
      success: AdminPayment,
      error: [...operationErrors, ...amountErrors]
    })
      .annotate(OpenApi.Summary, "Capture a payment")
      .annotate(
        OpenApi.Description,
        "Capture the amount of an AUTHORIZED payment, or a part of it; the rest is released. The authorization expires at `gateway.captureBefore`."
      ),
    HttpApiEndpoint.post("release", "/admin/v1/payments/:paymentId/release", {
      params,
      success: AdminPayment,
      error: operationErrors
    })
      .annotate(OpenApi.Summary, "Release a payment")
      .annotate(OpenApi.Description, "Release the amount of an AUTHORIZED payment. The payment becomes CANCELED."),
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
        "Refund a captured payment: the given amount, or without `amount` everything that is left. The payment becomes REFUND, even if a part is refunded. After a 503 the same request can be repeated and refunds nothing twice. After a success the same request refunds the amount again, unless `refunded` has the total of the refunds before it."
      )
  )
  .annotate(OpenApi.Title, "Admin: payments")
  .annotate(
    OpenApi.Description,
    "The payments of all organizations, and their capture, release and refund at the payment gateway. After a 503 repeat the same request 2 seconds later: it is the same operation and takes effect once."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CaseForbidden, CaseNotFound } from "../cases/errors.ts"
import { AddsTo } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keyRefused } from "../http/commonErrors.ts"
import { message, messageOf, unauthorized } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { constant, succeeded } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { RequestInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { showing } from "../http/shownAnswers.ts"
import { UuidV4 } from "../Ids.ts"
import { notPositive } from "./Amount.ts"
import { CreatedPayment, CreatePayment, createdPaymentExample, createPaymentExample } from "./CreatePayment.ts"
import { PaymentDeclined, PaymentMethodMissing } from "./errors.ts"

const mistakeText = ({ mistakes, text }: RequestInvalid): string =>
  mistakes.some(({ path, reason }) => path === "amount" && reason === notPositive)
    ? "Amount must be a positive number"
    : text

export class NewPaymentsApi extends HttpApiGroup.make("newPayments")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/cases/:caseId/payments", {
      params: { caseId: UuidV4.pipe(Schema.brand("CaseId")) },
      headers: idempotencyHeader,
      payload: CreatePayment,
      success: showing(
        succeeded({
          message: constant("Case payment created successfully"),
          data: Schema.Struct({ result: CreatedPayment })
        }),
        { data: { result: createdPaymentExample } }
      ),
      error: [
        ...keyRefused,
        message(
          RequestInvalid,
          400,
          mistakeText,
          "`Amount must be a positive number`; or another field, or the id in the path, is missing or malformed, or the product is not the organization's: `<path>, <reason>`",
          RequestInvalid.inPayload("amount", notPositive)
        ),
        message(CaseNotFound, 400, "No Case found for provided details!"),
        message(PaymentMethodMissing, 400, "The patient has no saved payment method"),
        message(
          PaymentDeclined,
          400,
          ({ reason }) => reason,
          "The amount is not held: the payment method was declined, or its holder has to agree. Nothing was charged"
        ),
        unauthorized(CaseForbidden, 401, "Permission denied", "The case belongs to another organization"),
        idempotencyConflictAs(messageOf("Payment conflict", "IDEMPOTENCY_ERROR")),
        ...broken
      ]
    })
      .annotate(OpenApi.Transform, requestExample(createPaymentExample))
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Create a payment of a case")
      .annotate(
        OpenApi.Description,
        "Creates a payment of a case, in the currency of the payment that the case began with, else in US dollars. It is UNPAID; with preauthorize the amount is held at once on the patient's saved payment method (AUTHORIZED), to be captured later. The body's idempotencyKey wins over the header. After a 503 it is not known whether the amount is held: the same request with the same key goes on where it was, and holds nothing twice."
      )
  )
  .annotate(OpenApi.Title, "Case payments")
  .annotate(OpenApi.Description, "Payments of a case beside the one that it began with.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

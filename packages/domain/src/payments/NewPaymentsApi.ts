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
          "`Amount must be a positive number`; or `<path>, <reason>`: another field or the id in the path is missing or malformed, or the organization has no such product",
          RequestInvalid.inPayload("amount", notPositive)
        ),
        message(CaseNotFound, 400, "No Case found for provided details!"),
        message(PaymentMethodMissing, 400, "The patient has no saved payment method"),
        message(
          PaymentDeclined,
          400,
          ({ reason }) => reason,
          "The amount was not authorized: the payment method was declined, or requires authentication by its holder. Nothing was charged"
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
        "Creates a payment of a case, in the currency of the case's initial payment, or else in US dollars. Its status is UNPAID. With `preauthorize` the amount is authorized at once on the patient's saved payment method (AUTHORIZED) and can be captured later. The `idempotencyKey` of the body takes precedence over the header. After a 503 the amount may have been authorized: repeat the request with the same key, which never authorizes the amount twice."
      )
  )
  .annotate(OpenApi.Title, "Case payments")
  .annotate(OpenApi.Description, "Further payments of a case, in addition to its initial payment.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

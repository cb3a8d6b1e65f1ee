import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CaseForbidden, CaseNotFound } from "../cases/errors.ts"
import { AddsTo } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keyRefused } from "../http/commonErrors.ts"
import { coded, refused, unauthorized } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { requestExample } from "../http/requestExample.ts"
import { shownIds } from "../http/shownIds.ts"
import { PaymentConfirmation } from "./PaymentConfirmation.ts"

export class ConfirmationsApi extends HttpApiGroup.make("paymentConfirmations")
  .add(
    HttpApiEndpoint.post("confirmPayment", "/api/v1/customer-payment-confirmation", {
      headers: idempotencyHeader,
      payload: PaymentConfirmation,
      success: ok({}),
      error: [
        ...keyRefused,
        mistakesAs(refused),
        refused(CaseNotFound, 400, "No Case found for provided details!", "There is no such case"),
        unauthorized(CaseForbidden, 401, "Permission denied", "The case belongs to another organization"),
        idempotencyConflictAs(coded("IDEMPOTENCY_ERROR")),
        ...broken
      ]
    })
      .annotate(
        OpenApi.Transform,
        requestExample({
          caseId: shownIds.case,
          amount: 299.99,
          paymentDate: "2026-08-01",
          status: "PAID",
          validUntil: "2026-09-01"
        })
      )
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Confirm a payment made elsewhere")
      .annotate(
        OpenApi.Description,
        "Records a payment of a case that was made outside the service. A confirmation with the same `paymentDate`, `amount` and `decisionId` updates the status of the same payment; any other one is another payment. The first confirmation of a case updates its initial payment, if that is UNPAID and not at the payment gateway. Earlier confirmations are kept. `decisionId` may be any string; it is not checked whether such a decision exists."
      )
  )
  .annotate(OpenApi.Title, "Payment confirmations")
  .annotate(OpenApi.Description, "Payments that were made outside the service.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

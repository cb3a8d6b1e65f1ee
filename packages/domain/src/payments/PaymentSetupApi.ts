import { Record } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keysAs } from "../http/commonErrors.ts"
import { coded, refused } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { isAbsent, missingReason } from "../http/mistakesIn.ts"
import { ok } from "../http/ok.ts"
import { RequestInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { PaymentTokenRefused, SetupDenied, SetupUnconfirmed, SetupUnknown, shownSetup } from "./errors.ts"
import { PaymentSetup } from "./PaymentSetup.ts"

// The names of missing fields in errors.
const names: Readonly<Record<string, string>> = {
  gatewaySetupID: "Gateway setup id",
  shippingAddress: "Shipping address",
  "shippingAddress.line1": "Shipping address line 1",
  "shippingAddress.line2": "Shipping address line 2",
  "shippingAddress.city": "Shipping address city",
  "shippingAddress.state": "Shipping address state",
  "shippingAddress.country": "Shipping address country",
  "shippingAddress.postal_code": "Shipping address postal code"
}

// The second line may be empty or absent.
const needed = Record.keys(names).filter((path) => path !== "shippingAddress.line2")

// Returns the text of the first mistake.
const incomplete = (error: RequestInvalid): string => {
  const name = names[error.path]
  if (name === undefined) return error.text
  return isAbsent(error) ? `${name} must be provided` : `${name} is not valid: ${error.reason}`
}

/** Partner API: saves a payment method that a patient confirmed at the gateway, for all of the patient's cases. */
export class PaymentSetupApi extends HttpApiGroup.make("paymentSetup")
  .add(
    HttpApiEndpoint.post("completeSetup", "/api/v1/complete-payment-setup", {
      headers: idempotencyHeader,
      payload: PaymentSetup,
      success: ok({}),
      error: [
        ...keysAs(refused, 400),
        refused(
          RequestInvalid,
          400,
          incomplete,
          "A field is missing, empty or malformed",
          ...needed.map((path) => RequestInvalid.inPayload(path, missingReason))
        ),
        refused(
          SetupUnknown,
          400,
          ({ text }) => text,
          "The payment gateway has no such setup intent",
          new SetupUnknown(shownSetup)
        ),
        refused(
          SetupUnconfirmed,
          400,
          ({ text }) => text,
          "The setup intent is not confirmed",
          new SetupUnconfirmed(shownSetup)
        ),
        refused(
          PaymentTokenRefused,
          400,
          "The payment method of the setup intent cannot be saved",
          "The payment gateway refuses to attach the payment method to the patient"
        ),
        refused(
          SetupDenied,
          401,
          "Permission denied",
          "No patient of the organization has the email of the setup intent"
        ),
        idempotencyConflictAs(coded("IDEMPOTENCY_ERROR")),
        ...broken
      ]
    })
      .annotate(
        OpenApi.Transform,
        requestExample({
          gatewaySetupID: "seti_1PqGjX2eZvKYlo2C",
          shippingAddress: {
            line1: "500 Howard Street",
            city: "San Francisco",
            state: "CA",
            country: "US",
            postal_code: "94105"
          }
        })
      )
      .annotate(OpenApi.Summary, "Complete a payment setup")
      .annotate(
        OpenApi.Description,
        "Saves the payment method of a confirmed setup intent, and the shipping address, for all cases of a patient. The patient is identified by the email of the setup intent or of its customer."
      )
  )
  .annotate(OpenApi.Title, "Payment setup")
  .annotate(OpenApi.Description, "Save the payment method and the shipping address of a patient.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

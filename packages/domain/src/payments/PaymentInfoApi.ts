import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { describeUserOperations } from "../auth/describeUserOperations.ts"
import { EmailUnknown } from "../auth/Profile.ts"
import { Action } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keyRefused } from "../http/commonErrors.ts"
import { invalidRequest, messageOf } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { constant, ok, saying } from "../http/ok.ts"
import { requestExample } from "../http/requestExample.ts"
import { PaymentTokenRefused, SetupUnconfirmed, SetupUnknown, shownSetup } from "./errors.ts"
import { PaymentInfo } from "./PaymentSetup.ts"

export class PaymentInfoApi extends HttpApiGroup.make("paymentInfo")
  .add(
    HttpApiEndpoint.post("updatePaymentInfo", "/api/v1/users/UPDATE_PAYMENT_INFO", {
      headers: idempotencyHeader,
      payload: PaymentInfo,
      success: ok({
        message: saying("Payment information updated successfully"),
        data: Schema.Struct({ code: constant("PAYMENT_SETUP_UPDATED") })
      }).annotate({ identifier: "PaymentInfoUpdated" }),
      error: [
        ...keyRefused,
        mistakesAs(invalidRequest),
        invalidRequest(
          EmailUnknown,
          400,
          ({ email }) => `User ${email} does not exist`,
          "No patient of the organization has the email",
          new EmailUnknown({ email: "maria.lopez@example.com" })
        ),
        invalidRequest(
          SetupUnknown,
          400,
          ({ text }) => text,
          "No patient of the organization has such a setup intent",
          new SetupUnknown(shownSetup)
        ),
        invalidRequest(
          SetupUnconfirmed,
          400,
          ({ text }) => text,
          "The setup intent is not confirmed",
          new SetupUnconfirmed(shownSetup)
        ),
        invalidRequest(
          PaymentTokenRefused,
          400,
          "The payment token is not known to the payment gateway, or cannot be the patient's",
          "The payment token is unknown, or belongs to another customer"
        ),
        idempotencyConflictAs(messageOf("Idempotency conflict", "IDEMPOTENCY_ERROR")),
        ...broken
      ]
    })
      .annotate(Action, "UPDATE_PAYMENT_INFO")
      .annotate(
        OpenApi.Transform,
        requestExample({
          action: "UPDATE_PAYMENT_INFO",
          email: "maria.lopez@example.com",
          data: {
            gatewaySetupId: "seti_1PqGjX2eZvKYlo2C",
            gatewayPaymentToken: "pm_1PqGjY2eZvKYlo2C",
            shippingAddress: {
              addressLine1: "500 Howard Street",
              addressLine2: "",
              city: "San Francisco",
              state: "CA",
              country: "US",
              postalCode: "94105"
            }
          }
        })
      )
      .annotate(OpenApi.Summary, "Change a patient's payment information")
      .annotate(
        OpenApi.Description,
        "Saves a payment method and a shipping address for all cases of a patient. The method is that of a confirmed setup intent, or another one that can be attached to the same customer. Each field can be at the top level or in `data`; a field at the top level takes precedence, and the one in `data` is ignored."
      )
  )
  .annotateMerge(describeUserOperations)
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

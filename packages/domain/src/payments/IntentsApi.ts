import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keyRefused } from "../http/commonErrors.ts"
import { codedInvalidRequest, invalidRequest } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok, saying } from "../http/ok.ts"
import { requestExample } from "../http/requestExample.ts"
import { NewPaymentIntent, NewSetupIntent } from "./NewIntent.ts"

const secret = (what: string) =>
  Schema.String.annotate({
    description: `For the gateway's client library; what precedes \`_secret_\` is the ${what}'s id`
  })

const errors = [
  ...keyRefused,
  mistakesAs(
    invalidRequest,
    "Fields are missing or malformed, or refused by the payment gateway: `<path>, <reason>; <path>, <reason>`"
  ),
  idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR")),
  ...broken
] as const

/** Partner API: intents for the patient's browser, to pay or to save a payment method. */
export class IntentsApi extends HttpApiGroup.make("intents")
  .add(
    HttpApiEndpoint.post("createPaymentIntent", "/api/v1/payments/intent", {
      headers: idempotencyHeader,
      payload: NewPaymentIntent,
      success: ok({
        message: saying("Payment intent created successfully"),
        data: Schema.Struct({ paymentIntentSecret: secret("payment intent") })
      }),
      error: errors
    })
      .annotate(
        OpenApi.Transform,
        requestExample({
          amount: 299.99,
          paymentMethodTypes: ["klarna"],
          metadata: { email: "maria.lopez@example.com", phone: "+14155552671" }
        })
      )
      .annotate(OpenApi.Summary, "Create a payment intent")
      .annotate(
        OpenApi.Description,
        "Creates an intent that the patient pays with the given types of payment methods, or with any that the gateway has for the amount, in US dollars unless another `currency` is named. Its id goes into the case as a `PAYMENT_INTENT` reference."
      ),
    HttpApiEndpoint.post("createSetupIntent", "/api/v1/payments/setup", {
      headers: idempotencyHeader,
      payload: NewSetupIntent,
      success: ok({
        paymentSecret: secret("setup intent"),
        data: Schema.Struct({ setupIntentSecret: secret("setup intent") })
      }),
      error: errors
    })
      .annotate(OpenApi.Transform, requestExample({ email: "maria.lopez@example.com" }))
      .annotate(OpenApi.Summary, "Create a setup intent")
      .annotate(
        OpenApi.Description,
        "Creates an intent by which the patient saves a payment method for later payments: a card, also by a wallet, because no other can be charged without the patient there. Once it is confirmed in the patient's browser, `complete-payment-setup` or UPDATE_PAYMENT_INFO makes the method the patient's."
      )
  )
  .annotate(OpenApi.Title, "Payment intents")
  .annotate(OpenApi.Description, "What a patient pays with, or saves a payment method with, in the browser.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

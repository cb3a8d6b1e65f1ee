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
    description: `The client secret, for the payment gateway's client library. The part before \`_secret_\` is the id of the ${what}`
  })

const errors = [
  ...keyRefused,
  mistakesAs(
    invalidRequest,
    "Fields are missing, malformed, or refused by the payment gateway: `<path>, <reason>; <path>, <reason>`"
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
        "Creates a payment intent, in US dollars unless `currency` is sent. The patient can pay it with the given types of payment methods, or, if none are given, with any that the payment gateway offers for the amount. To create a case that it pays, send its id as a `PAYMENT_INTENT` reference."
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
        "Creates a setup intent, with which the patient saves a card for later payments, directly or through a wallet. Other payment methods cannot be charged while the patient is absent. After the patient has confirmed it in the browser, `complete-payment-setup` or UPDATE_PAYMENT_INFO saves the method for the patient."
      )
  )
  .annotate(OpenApi.Title, "Payment intents")
  .annotate(OpenApi.Description, "Intents with which a patient pays, or saves a payment method, in the browser.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

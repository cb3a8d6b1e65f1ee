import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, clientOf, errorOf, secretKey, stripeTest } from "../../test/stripe.ts"
import { runStripe } from "./runStripe.ts"

stripeTest("accepts only its key", function* ({ url }) {
  const bare = (headers: Record<string, string>) =>
    ask(() =>
      fetch(`${url}/v1/customers`, { headers }).then(async (response) => `${response.status} ${await response.text()}`)
    )
  assert.match(yield* bare({}), /^401 {"error":{"type":"invalid_request_error","message":"No API key/)
  assert.match(yield* bare({ authorization: `Basic ${btoa(`${secretKey}:`)}` }), /^200 {"object":"list"/)
  const wrong = yield* errorOf(() => clientOf(url, "sk_test_of_somebody_else").customers.list())
  assert.deepInclude(wrong, { statusCode: 401, type: "StripeAuthenticationError" })
  assert.notInclude(wrong.message, "of_somebody")
  const control = yield* ask(() => fetch(`${url}/control/requests`))
  assert.strictEqual(control.status, 401)
})

stripeTest("answers with the request id, version and errors that the official client reads", function* ({ stripe }) {
  const { lastResponse } = yield* ask(() => stripe.customers.list())
  assert.match(lastResponse.requestId, /^req_\w{14}$/)
  assert.strictEqual(lastResponse.apiVersion, "2026-10-28.endive")
  const other = yield* errorOf(() => stripe.customers.create({}, { apiVersion: "2023-08-16", idempotencyKey: "k1" }))
  assert.deepInclude(other, { statusCode: 400, rawType: "invalid_request_error" })
  assert.match(other.message, /^Invalid Stripe API version: 2023-08-16/)
  const { lastResponse: firstResponse } = yield* ask(() => stripe.customers.create({}, { idempotencyKey: "k1" }))
  assert.isUndefined(firstResponse.headers["idempotent-replayed"])
  const error = yield* errorOf(() => stripe.rawRequest("GET", "/v1/nothing"))
  assert.deepInclude(error, { statusCode: 404, rawType: "invalid_request_error" })
  const missing = yield* errorOf(() => stripe.customers.retrieve("cus_none"))
  assert.strictEqual(missing.requestId?.slice(0, 4), "req_")
  assert.strictEqual(missing.doc_url, "https://stripe.com/docs/error-codes/resource-missing")
})

stripeTest("says in a sentence that its port is taken", function* ({ url }) {
  const { message } = yield* Effect.flip(runStripe({ port: Number(new URL(url).port), secretKey }))
  assert.match(message, /^The stand-in for Stripe does not start: .*EADDRINUSE/)
})

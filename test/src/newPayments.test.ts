import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { metricsOf } from "./harness/metricsOf.ts"
import { Suite } from "./harness/Suite.ts"
import { saveMethod } from "./harness/saveMethod.ts"
import { askStripe, atStripe } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.layer, "payments of a case", (it) => {
  const body = { amount: 299.99, description: "Second month of kanarienvogel" }
  const preauthorized = { ...body, preauthorize: true }
  const pay = (clinic: Clinic, caseId: string, payment: unknown = body, headers: Record<string, string> = {}) =>
    call("POST", `/api/v1/cases/${caseId}/payments`, { key: clinic.key, body: payment, headers })

  const makeCase = Effect.fnUntraced(function* (clinic: Clinic, card?: string) {
    const caseId = String((yield* createCase(clinic, caseBody(clinic))).json.data.caseId)
    if (card !== undefined) yield* saveMethod(clinic, caseId, card)
    return caseId
  })
  const problem = ({ json, status }: Answer) => [status, json.title, json.detail]
  const paymentsOf = (caseId: string) => Effect.map(admin("GET", `/payments?caseId=${caseId}`), ({ json }) => json.data)

  it("a payment is UNPAID, and answered as documented", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic)
    const { json, status } = yield* pay(clinic, caseId, { ...body, status: "UNPAID", productId: clinic.productId })
    assert.strictEqual(status, 200)
    const { createdAt, paymentId, ...result } = json.data.result
    assert.deepStrictEqual(
      { ...json, data: { result } },
      {
        success: true,
        message: "Case payment created successfully",
        data: { result: { status: "UNPAID", ...body } }
      }
    )
    assert.match(paymentId, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
    const [listed] = yield* paymentsOf(caseId)
    assert.deepInclude(listed, { paymentId, caseId, currency: "USD", productId: clinic.productId, gateway: null })
  })

  it("each missing, mistyped or unacceptable field is 400 with success false and a message", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic)
    const positive = "Amount must be a positive number"
    for (const [change, message] of [
      [{ amount: 0 }, positive],
      [{ amount: -1 }, positive],
      [{ amount: "10" }, positive],
      [{ amount: null }, positive],
      [{ amount: undefined }, "amount, Required"],
      [{ amount: 0.001 }, "amount, must have at most 2 decimals in USD"],
      [{ amount: 0.1 + 0.2 }, "amount, must have at most 2 decimals in USD"],
      [{ amount: 1e21 }, "amount, must be below 1,000,000,000"],
      [{ description: undefined }, "description, Required"],
      [{ description: " " }, "description, must not be empty"],
      [{ description: 1 }, "description, must be a text"],
      [{ productId: "1" }, "productId, must be a valid UUID of version 4"],
      [{ status: "PAID" }, "status, must be UNPAID"],
      [{ preauthorize: "yes" }, "preauthorize, must be true or false"],
      [{ idempotencyKey: "" }, "idempotencyKey, must not be empty"]
    ] as const) {
      yield* expectAnswer(pay(clinic, caseId, { ...body, ...change }), 400, { success: false, message })
    }
    assert.isEmpty(yield* paymentsOf(caseId))
    assert.strictEqual((yield* pay(clinic, caseId, { ...body, amount: 999999999.99 })).status, 200)
  })

  it("another organization's product is refused like an unknown one, and nothing is stored", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const caseId = yield* makeCase(clinic, "pm_card_visa")
    const key = randomUUID()
    const stripe = yield* atStripe
    yield* stripe.forgetRequests
    for (const productId of [other.productId, other.productId.toUpperCase(), randomUUID()]) {
      for (const payment of [body, preauthorized]) {
        const { json, status } = yield* pay(clinic, caseId, { ...payment, productId, idempotencyKey: key })
        const message = "productId, is no product of the organization"
        assert.deepStrictEqual([status, json], [400, { success: false, message }])
      }
    }
    assert.isEmpty(yield* paymentsOf(caseId))
    assert.isEmpty(yield* stripe.requests)
    const custom = yield* pay(clinic, caseId, {
      ...preauthorized,
      productId: clinic.productId.toUpperCase(),
      idempotencyKey: key
    })
    assert.strictEqual(custom.status, 200)
    const [listed] = yield* paymentsOf(caseId)
    assert.deepInclude(listed, { productId: clinic.productId, status: "AUTHORIZED" })
  })

  it("a case that is unknown, not of version 4, or another organization's", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const caseId = yield* makeCase(clinic)
    const unknown = yield* pay(clinic, randomUUID())
    const message = "No Case found for provided details!"
    assert.deepStrictEqual([unknown.status, unknown.json], [400, { success: false, message }])
    const older = yield* pay(clinic, "9b2f1d8e-0000-1000-8000-000000000000")
    assert.deepStrictEqual(older.json, { success: false, message: "caseId, must be a valid UUID of version 4" })
    const denied = { status: 401, error: "Permission denied" }
    assert.deepStrictEqual((yield* pay(other, caseId)).json, denied)
    // Also once the owner of the case is known.
    yield* pay(clinic, caseId)
    yield* expectAnswer(pay(other, caseId), 401, denied)
  })

  it("the owner of a case is fetched from cases once, and only for the organization's own cases", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic)
    yield* pay(yield* makeClinic, caseId)
    const stored = (id: string) =>
      inDatabase("payments", (sql) => sql`SELECT organization_id FROM payments.case_owners WHERE case_id = ${id}`)
    assert.isEmpty(yield* stored(caseId))
    yield* pay(clinic, caseId)
    assert.deepStrictEqual(yield* stored(caseId), [{ organization_id: clinic.organizationId }])
    // The stored owner is enough: cases itself does not have this case.
    const other = randomUUID()
    assert.strictEqual((yield* pay(clinic, other)).status, 400)
    yield* inDatabase(
      "payments",
      (sql) => sql`
          INSERT INTO payments.case_owners (organization_id, case_id, user_id)
          VALUES (${clinic.organizationId}, ${other}, ${randomUUID()})
        `
    )
    assert.strictEqual((yield* pay(clinic, other)).status, 200)
  })

  it("the same key and body is the same payment, whether the key is the body's or the header's; another body is 409", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic, "pm_card_visa")
    const key = randomUUID()
    const first = yield* pay(
      clinic,
      caseId,
      { ...preauthorized, idempotencyKey: key },
      { "idempotency-key": "another" }
    )
    assert.strictEqual(first.json.data.result.status, "AUTHORIZED")
    const second = yield* pay(clinic, caseId, preauthorized, { "idempotency-key": key })
    assert.deepStrictEqual(second.json, first.json)
    const conflict = yield* pay(clinic, caseId, { ...preauthorized, amount: 1, idempotencyKey: key })
    assert.strictEqual(conflict.status, 409)
    assert.deepInclude(conflict.json, { success: false, code: "IDEMPOTENCY_ERROR" })
    assert.lengthOf(yield* paymentsOf(caseId), 1)
  })

  it("without a saved method, and with a declined one, it is 400 without the bank's message", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic)
    const missing = yield* pay(clinic, caseId, preauthorized)
    const message = "The patient has no saved payment method"
    assert.deepStrictEqual([missing.status, missing.json], [400, { success: false, message }])
    yield* saveMethod(clinic, caseId, "pm_card_chargeCustomerFail")
    yield* expectAnswer(pay(clinic, caseId, preauthorized), 400, {
      success: false,
      message: "The patient's payment method was declined"
    })
    assert.deepInclude((yield* paymentsOf(caseId))[0], { status: "ERROR", operation: null })
  })

  it("the operator captures and refunds an authorized payment, and the activity of the case shows it", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic, "pm_card_visa")
    const { paymentId } = (yield* pay(clinic, caseId, preauthorized)).json.data.result
    const path = `/payments/${paymentId}`
    const detail = (yield* admin("GET", path)).json
    assert.deepInclude(detail, { status: "AUTHORIZED", amount: 299.99, isInitial: false, operation: null })
    assert.deepInclude(detail.gateway, { amount: 299.99, currency: "USD", received: 0, refunded: 0 })

    const tooMuch = yield* admin("POST", `${path}/capture`, { amount: 300 })
    assert.deepStrictEqual(problem(tooMuch), [422, "The amount is too high", "At most 299.99 USD is possible."])
    for (const amount of [0, -1, "10", 0.001, 1e21]) {
      assert.strictEqual((yield* admin("POST", `${path}/capture`, { amount })).status, 400, `${amount}`)
    }
    const captured = yield* admin("POST", `${path}/capture`, { amount: 200 })
    assert.deepStrictEqual([captured.status, captured.json.status, captured.json.gateway.received], [200, "PAID", 200])
    assert.deepStrictEqual(problem(yield* admin("POST", `${path}/release`)), [
      409,
      "The payment's status does not allow this",
      "The payment is PAID; it would have to be AUTHORIZED."
    ])
    assert.deepStrictEqual(problem(yield* admin("POST", `${path}/refund`, { refunded: 20 })), [
      409,
      "Another amount was given back",
      "0 USD is what was given back by now. Nothing was changed."
    ])
    assert.strictEqual((yield* admin("POST", `${path}/refund`, { refunded: -1 })).status, 400)
    const refunded = yield* admin("POST", `${path}/refund`, { refunded: 0 })
    assert.deepInclude(refunded.json, { status: "REFUND" })
    assert.strictEqual(refunded.json.gateway.refunded, 200)
    yield* jobsDone("payments", "payment-replication")
    const { data } = (yield* admin("GET", `/cases/${caseId}/activity`)).json
    const statuses = data.flatMap(({ details, type }: { type: string; details: { status: string } }) =>
      type === "PAYMENT_CHANGED" ? [details.status] : []
    )
    assert.strictEqual(statuses.at(-1), "REFUND")
  })

  it("without a body the whole amount is meant; a payment outside of the gateway, or an unknown one, is refused", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic, "pm_card_visa")
    const { paymentId } = (yield* pay(clinic, caseId, preauthorized)).json.data.result
    const released = yield* admin("POST", `/payments/${paymentId}/release`)
    assert.deepStrictEqual([released.status, released.json.status], [200, "CANCELED"])

    const unpaid = (yield* pay(clinic, caseId)).json.data.result.paymentId
    for (const operation of ["capture", "refund"]) {
      const refused = yield* admin("POST", `/payments/${unpaid}/${operation}`, {})
      assert.deepStrictEqual(problem(refused).slice(0, 2), [409, "The payment is not at the gateway"])
      assert.strictEqual((yield* admin("POST", `/payments/${randomUUID()}/${operation}`, {})).status, 404)
    }
    assert.strictEqual((yield* admin("POST", `/payments/${unpaid}/release`)).status, 409)
    assert.strictEqual((yield* admin("POST", `/payments/${randomUUID()}/release`)).status, 404)
    assert.strictEqual((yield* admin("GET", `/payments/${randomUUID()}`)).status, 404)
  })

  it("payments are listed newest first, by case, organization and status, page by page", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic, "pm_card_visa")
    const paymentIds: Array<string> = []
    for (const payment of [body, preauthorized, body, preauthorized, body]) {
      paymentIds.unshift((yield* pay(clinic, caseId, payment)).json.data.result.paymentId)
    }
    const ids = ({ json }: Answer): ReadonlyArray<string> =>
      json.data.map(({ paymentId }: { paymentId: string }) => paymentId)
    const custom = `organizationId=${clinic.organizationId}`
    assert.deepStrictEqual(ids(yield* admin("GET", `/payments?caseId=${caseId}`)), paymentIds)
    assert.deepStrictEqual(ids(yield* admin("GET", `/payments?${custom}`)), paymentIds)
    const authorized = paymentIds.filter((_, index) => index % 2 === 1)
    assert.deepStrictEqual(ids(yield* admin("GET", `/payments?${custom}&status=authorized`)), authorized)
    assert.deepStrictEqual(ids(yield* admin("GET", `/payments?caseId=${caseId}&status=AUTHORIZED`)), authorized)
    assert.isEmpty(ids(yield* admin("GET", `/payments?caseId=${caseId}&organizationId=${randomUUID()}`)))
    assert.deepStrictEqual(ids(yield* admin("GET", "/payments?limit=5")), paymentIds)
    for (const filter of [custom, `caseId=${caseId}`]) {
      const first = yield* admin("GET", `/payments?${filter}&limit=3`)
      const rest = yield* admin("GET", `/payments?${filter}&limit=3&cursor=${first.json.nextCursor}`)
      assert.deepStrictEqual([...ids(first), ...ids(rest)], paymentIds)
      assert.isNull(rest.json.nextCursor)
    }
  })

  it("the end of an authorization moves the payment by its event", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic, "pm_card_visa")
    const { paymentId } = (yield* pay(clinic, caseId, preauthorized)).json.data.result
    const { intentId } = (yield* admin("GET", `/payments/${paymentId}`)).json.gateway
    yield* askStripe((client) => client.paymentIntents.cancel(intentId))
    yield* until(admin("GET", `/payments/${paymentId}`), ({ json }) => json.status === "CANCELED")
  })

  it("an unknown outcome is shown as such, and settled by a job", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic, "pm_card_visa")
    const { paymentId } = (yield* pay(clinic, caseId, preauthorized)).json.data.result
    const stripe = yield* atStripe
    yield* stripe.addTrouble({ path: "/v1/payment_intents/*/capture", does: "hangUpAfter", times: 2 })
    const unknown = yield* admin("POST", `/payments/${paymentId}/capture`, {})
    assert.strictEqual(unknown.status, 503)
    assert.isNotNull(unknown.headers.get("retry-after"))
    const pending = (yield* admin("GET", `/payments/${paymentId}`)).json.operation
    assert.strictEqual(pending.name, "CAPTURE")
    assert.deepStrictEqual(problem(yield* admin("POST", `/payments/${paymentId}/release`)), [
      409,
      "The payment is being worked on",
      "What became of CAPTURE is not known yet. It is settled within minutes."
    ])
    yield* inDatabase(
      "payments",
      (sql) => sql`UPDATE payments.payments SET operation_since = now() - interval '11 minutes' WHERE id = ${paymentId}`
    )
    const { urls } = yield* Suite
    assert.include(yield* metricsOf(urls.payments), "\npayments_unknown 1\n")
    yield* inDatabase(
      "payments",
      (sql) => sql`UPDATE payments.jobs SET due_at = now() WHERE queue_name = 'payment-operation'`
    )
    const settled = yield* until(admin("GET", `/payments/${paymentId}`), ({ json }) => json.operation === null)
    assert.strictEqual(settled.json.status, "PAID")
    assert.include(yield* metricsOf(urls.payments), "\npayments_unknown 0\n")
  })

  it("while the gateway is down nothing is half done, and operations without it still work", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* makeCase(clinic, "pm_card_visa")
    const stripe = yield* atStripe
    const key = randomUUID()
    for (const path of ["/v1/payment_intents", "/v1/payment_intents/*/confirm", "/v1/payment_intents/*"]) {
      yield* stripe.addTrouble({ path, does: "hangUpBefore", times: 1000 })
    }
    const away = yield* pay(clinic, caseId, { ...preauthorized, idempotencyKey: key })
    assert.strictEqual(away.status, 503)
    assert.isNotNull(away.headers.get("retry-after"))
    assert.deepInclude(away.json, { success: false, message: "Service unavailable" })
    assert.strictEqual((yield* pay(clinic, caseId)).status, 200)
    const read = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    assert.strictEqual(read.status, 200)
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
    yield* stripe.clearTroubles
    const repeated = pay(clinic, caseId, { ...preauthorized, idempotencyKey: key })
    const answer = yield* until(repeated, ({ status }) => status !== 503)
    assert.strictEqual(answer.json.data.result.status, "AUTHORIZED")
    const statuses = (yield* paymentsOf(caseId)).map(({ status }: { status: string }) => status)
    assert.deepStrictEqual(statuses.sort(), ["AUTHORIZED", "UNPAID"])
  })
})

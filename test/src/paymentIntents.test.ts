import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, expectAnswer } from "./harness/call.ts"
import { patientOf } from "./harness/erasures.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { idIn, ownersIn } from "./harness/paymentSetup.ts"
import { Suite } from "./harness/Suite.ts"
import { askStripe, atStripe } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"

const pay = ({ key }: Pick<Clinic, "key">, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", "/api/v1/payments/intent", { key, body, headers })
const setUp = ({ key }: Pick<Clinic, "key">, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", "/api/v1/payments/setup", { key, body, headers })

const invalid = (error: string) => ({ status: 400, success: false, message: "Invalid request", error })
const conflict = (error: string) => ({
  status: 409,
  success: false,
  message: "Invalid request",
  error,
  code: "IDEMPOTENCY_ERROR"
})
const withKey = () => ({ "idempotency-key": randomUUID() })

const withOwners = <A extends { readonly metadata: Readonly<Record<string, string>> | null }>(intent: A) => ({
  ...intent,
  metadata: ownersIn(intent.metadata ?? {})
})
const intentOf = (secret: string) =>
  Effect.map(
    askStripe((stripe) => stripe.paymentIntents.retrieve(idIn(secret))),
    withOwners
  )
const setupOf = (secret: string) =>
  Effect.map(
    askStripe((stripe) => stripe.setupIntents.retrieve(idIn(secret))),
    withOwners
  )
const customersOf = (email: string) =>
  Effect.map(
    askStripe((stripe) => stripe.customers.list({ email })),
    ({ data }) => data
  )

testsOn(Suite.layer, "POST /api/v1/payments/intent", (it) => {
  it("200: an intent of the organization with the exact amount, and the given method types and patient", function* () {
    const clinic = yield* makeClinic
    const { email, phoneNumber: phone } = newPatient()
    const { headers, json, status } = yield* pay(clinic, {
      amount: 299.99,
      paymentMethodTypes: ["klarna"],
      metadata: { email: ` ${email.toUpperCase()}`, phone }
    })
    const secret: string = json.data.paymentIntentSecret
    assert.match(secret, /^pi_\w+_secret_\w+$/)
    assert.deepStrictEqual(
      [status, json],
      [
        200,
        {
          status: 200,
          success: true,
          message: "Payment intent created successfully",
          data: { paymentIntentSecret: secret }
        }
      ]
    )
    assert.strictEqual(headers.get("cache-control"), "no-store")
    const intent = yield* intentOf(secret)
    assert.deepInclude(intent, {
      amount: 29_999,
      currency: "usd",
      payment_method_types: ["klarna"],
      metadata: { organizationId: clinic.organizationId, email, phone }
    })
    const [customer] = yield* customersOf(email)
    assert.strictEqual(intent.customer, customer?.id)
    assert.deepStrictEqual(customer?.metadata, { organizationId: clinic.organizationId })
  })

  it("200: without types the gateway chooses them, and without an email there is no customer", function* () {
    const { json } = yield* pay(yield* makeClinic, { amount: 0.5 })
    const { amount, automatic_payment_methods, customer, payment_method_types } = yield* intentOf(
      json.data.paymentIntentSecret
    )
    assert.deepStrictEqual([amount, customer, automatic_payment_methods?.enabled], [50, null, true])
    assert.include(payment_method_types, "card")
  })

  it("200: the amount counts in the smallest unit of its currency", function* () {
    const clinic = yield* makeClinic
    for (const [amount, currency, units] of [
      [4200, "jpy", 4200],
      [10.25, "EUR", 1025],
      [1.23, "KWD", 1230],
      [700, "ISK", 70_000],
      [999_999.99, "USD", 99_999_999]
    ] as const) {
      const { json, status } = yield* pay(clinic, { amount, currency })
      assert.strictEqual(status, 200, currency)
      const intent = yield* intentOf(json.data.paymentIntentSecret)
      assert.deepStrictEqual([intent.amount, intent.currency], [units, currency.toLowerCase()])
    }
  })

  const positive = "amount, must be a positive number"
  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    ["no amount", {}, "amount, Required"],
    ["amount null", { amount: null }, positive],
    ["amount text", { amount: "10" }, positive],
    ["amount 0", { amount: 0 }, positive],
    ["amount -1", { amount: -1 }, positive],
    ["amount 1e21", { amount: 1e21 }, "amount, must be below 1,000,000,000"],
    ["amount 0.001", { amount: 0.001 }, "amount, must have at most 2 decimals in USD"],
    ["amount 0.1 + 0.2", { amount: 0.1 + 0.2 }, "amount, must have at most 2 decimals in USD"],
    ["yen with decimals", { amount: 10.5, currency: "JPY" }, "amount, must have no decimals in JPY"],
    ["dinars with four", { amount: 1.2345, currency: "KWD" }, "amount, must have at most 3 decimals in KWD"],
    ["unknown currency", { amount: 10, currency: "XYZ" }, "currency, must be an ISO 4217 currency code"],
    ["currency number", { amount: 10, currency: 1 }, "currency, must be a text"],
    ["types text", { amount: 10, paymentMethodTypes: "card" }, "paymentMethodTypes, must be an array"],
    ["no types", { amount: 10, paymentMethodTypes: [] }, "paymentMethodTypes, must name at least one type"],
    ["blank type", { amount: 10, paymentMethodTypes: [" "] }, "paymentMethodTypes.0, must not be empty"],
    ["type number", { amount: 10, paymentMethodTypes: [1] }, "paymentMethodTypes.0, must be a text"],
    [
      "too many types",
      { amount: 10, paymentMethodTypes: Array.from({ length: 21 }, () => "card") },
      "paymentMethodTypes, must be at most 20 types"
    ],
    ["metadata text", { amount: 10, metadata: "x" }, "metadata, must be an object"],
    ["email", { amount: 10, metadata: { email: "maria" } }, "metadata.email, must be a valid email"],
    ["email number", { amount: 10, metadata: { email: 1 } }, "metadata.email, must be a text"],
    [
      "phone",
      { amount: 10, metadata: { phone: "12" } },
      "metadata.phone, must be a valid phone number in E.164 format"
    ],
    // Limits that only the gateway knows.
    ["too small", { amount: 0.49 }, "amount, is too small for a payment"],
    ["too large", { amount: 999_999_999.99 }, "amount, is too large for a payment"],
    [
      "dinars that the gateway does not count",
      { amount: 1.234, currency: "KWD" },
      "amount, is no amount that can be paid in this currency"
    ],
    ["currency of a few banks", { amount: 10, currency: "CHW" }, "currency, is none that payments can be made in"],
    ...[["barter"], ["affirm"]].map(
      ([type]) =>
        [
          `${type}, which cannot pay this`,
          { amount: 100, currency: "EUR", paymentMethodTypes: [type] },
          "paymentMethodTypes, names a type that the payment gateway does not know, or none that can pay this amount in this currency"
        ] as const
    )
  ]
  for (const [name, body, error] of wrong) {
    it(`400: ${name}`, function* () {
      yield* expectAnswer(pay(yield* makeClinic, body), 400, invalid(error))
    })
  }

  it("409: the key with another body; a repeat gets the same single intent", function* () {
    const clinic = yield* makeClinic
    const body = { amount: 12, metadata: { email: newPatient().email } }
    const headers = withKey()
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => pay(clinic, body, headers)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const secrets = new Set(answers.map(({ json }) => json.data.paymentIntentSecret))
    assert.strictEqual(secrets.size, 1)
    const [customer] = yield* customersOf(body.metadata.email)
    const intents = yield* askStripe((stripe) => stripe.paymentIntents.list({ customer: customer?.id ?? "-" }))
    assert.lengthOf(intents.data, 1)
    const { json } = yield* pay(clinic, { ...body, amount: 13 }, headers)
    assert.deepStrictEqual(json, conflict("The idempotency key was used with another body."))
  })

  it("20 parallel intents for one patient share a customer, and another organization's patient has another one", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const { email } = newPatient()
    const body = { amount: 12, metadata: { email } }
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => pay(clinic, body)),
      { concurrency: "unbounded" }
    )
    const secrets = answers.map(({ json }) => json.data.paymentIntentSecret)
    assert.strictEqual(new Set(secrets).size, 20)
    assert.lengthOf(yield* customersOf(email), 1)
    yield* pay(other, body)
    yield* setUp(other, { email })
    const customers = yield* customersOf(email)
    assert.sameMembers(
      customers.map(({ metadata }) => metadata["organizationId"] ?? "-"),
      [clinic.organizationId, other.organizationId]
    )
  })

  it("503: while the gateway does not respond; the same request makes one intent once it does", function* () {
    const clinic = yield* makeClinic
    const stripe = yield* atStripe
    const body = { amount: 12, metadata: { email: newPatient().email } }
    const headers = withKey()
    yield* stripe.addTrouble({ method: "POST", path: "/v1/payment_intents", times: 2, does: "hangUpAfter" })
    const away = yield* pay(clinic, body, headers)
    assert.deepStrictEqual([away.status, away.json.message], [503, "Service unavailable"])
    assert.isNotNull(away.headers.get("retry-after"))
    const { json, status } = yield* pay(clinic, body, headers)
    assert.strictEqual(status, 200)
    const [customer] = yield* customersOf(body.metadata.email)
    const intents = yield* askStripe((client) => client.paymentIntents.list({ customer: customer?.id ?? "-" }))
    assert.deepStrictEqual(
      intents.data.map(({ id }) => id),
      [idIn(json.data.paymentIntentSecret)]
    )
  })
})

testsOn(Suite.layer, "an intent whose answer was lost", (it) => {
  for (const [path, expected, request] of [
    ["/v1/payment_intents", intentOf, { ask: pay, body: { amount: 12 } }],
    ["/v1/setup_intents", setupOf, { ask: setUp, body: {} }]
  ] as const) {
    const lost = Effect.fnUntraced(function* () {
      const clinic = yield* makeClinic
      const user = newPatient()
      const headers = withKey()
      const repeat = Effect.map(
        request.ask(clinic, { ...request.body, metadata: { email: user.email } }, headers),
        ({ json, status }) => ({ status, secret: json.data?.paymentIntentSecret ?? json.paymentSecret })
      )
      yield* (yield* atStripe).addTrouble({ method: "POST", path, times: 2, does: "hangUpAfter" })
      assert.strictEqual((yield* repeat).status, 503)
      return { clinic, user, repeat: repeat }
    })

    it(`${path}: the same request again is 200 for whoever has become a patient meanwhile`, function* () {
      const { repeat: repeated, clinic, user } = yield* lost()
      const created = yield* createCase(clinic, caseBody(clinic, { user }))
      const { secret, status } = yield* repeated
      assert.strictEqual(status, 200)
      const { organizationId } = clinic
      const userId = yield* patientOf(clinic, created.json.data.caseId)
      assert.deepStrictEqual((yield* expected(secret)).metadata, { organizationId, userId, email: user.email })
      assert.strictEqual((yield* repeated).secret, secret)
    })

    it(`${path}: the same request again is 200 for another customer when that one was deleted meanwhile`, function* () {
      const { repeat: repeated, user } = yield* lost()
      const [before] = yield* customersOf(user.email)
      yield* askStripe((stripe) => stripe.customers.del(before?.id ?? "-"))
      const { secret, status } = yield* repeated
      assert.strictEqual(status, 200)
      const [now] = yield* customersOf(user.email)
      assert.notStrictEqual(now?.id, before?.id)
      assert.strictEqual((yield* expected(secret)).customer, now?.id)
    })
  }
})

testsOn(Suite.layer, "POST /api/v1/payments/setup", (it) => {
  it("200: an intent to save a method, of the organization, for the customer with the email", function* () {
    const clinic = yield* makeClinic
    const { email, phoneNumber: phone } = newPatient()
    const { headers, json, status } = yield* setUp(clinic, { email, metadata: { phone } })
    const secret: string = json.paymentSecret
    assert.match(secret, /^seti_\w+_secret_\w+$/)
    assert.deepStrictEqual(
      [status, json],
      [200, { status: 200, success: true, paymentSecret: secret, data: { setupIntentSecret: secret } }]
    )
    assert.strictEqual(headers.get("cache-control"), "no-store")
    const [customer] = yield* customersOf(email)
    const { organizationId } = clinic
    assert.deepInclude(yield* setupOf(secret), {
      customer: customer?.id ?? null,
      usage: "off_session",
      payment_method_types: ["card"],
      metadata: { organizationId, email, phone }
    })
    // The same patient, named in the metadata as for payment intents.
    const repeated = yield* setUp(clinic, { metadata: { email } })
    assert.strictEqual((yield* setupOf(repeated.json.paymentSecret)).customer, customer?.id)
  })

  it("200: without an email a customer without details", function* () {
    const clinic = yield* makeClinic
    const { json } = yield* setUp(clinic, {})
    const setup = yield* setupOf(json.paymentSecret)
    assert.deepStrictEqual(setup.payment_method_types, ["card"])
    assert.deepStrictEqual(setup.metadata, { organizationId: clinic.organizationId })
    const customer = yield* askStripe((stripe) => stripe.customers.retrieve(String(setup.customer)))
    assert.propertyVal(customer, "email", null)
    const named = customer.deleted ? {} : ownersIn(customer.metadata)
    assert.deepStrictEqual(named, { organizationId: clinic.organizationId })
  })

  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    ["email", { email: "maria" }, "email, must be a valid email"],
    ["email number", { email: 1 }, "email, must be a text"],
    ["metadata text", { metadata: "x" }, "metadata, must be an object"],
    [
      "two emails",
      { email: "maria@example.com", metadata: { email: "jane@example.com" } },
      "metadata.email, must be the same as `email`"
    ]
  ]
  for (const [name, body, error] of wrong) {
    it(`400: ${name}`, function* () {
      yield* expectAnswer(setUp(yield* makeClinic, body), 400, invalid(error))
    })
  }

  it("409: the key with another body; the same again is the same intent", function* () {
    const clinic = yield* makeClinic
    const headers = withKey()
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => setUp(clinic, {}, headers)),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(new Set(answers.map(({ json }) => json.paymentSecret)).size, 1)
    const { json } = yield* setUp(clinic, { email: newPatient().email }, headers)
    assert.deepStrictEqual(json, conflict("The idempotency key was used with another body."))
  })

  it("503: while the gateway does not answer", function* () {
    const clinic = yield* makeClinic
    const stripe = yield* atStripe
    yield* stripe.addTrouble({ method: "POST", path: "/v1/setup_intents", times: 2, does: "hangUpBefore" })
    assert.strictEqual((yield* setUp(clinic, {})).status, 503)
    assert.strictEqual((yield* setUp(clinic, {})).status, 200)
  })
})

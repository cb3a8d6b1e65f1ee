import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { createDynamicCase } from "./harness/dynamicCases.ts"
import { type Clinic, caseBody, createCase, dynamicBody, makeClinic, newPatient } from "./harness/fixtures.ts"
import { closeCase } from "./harness/placeOrder.ts"
import { checkPreparations } from "./harness/preparations.ts"
import { confirmedSetupReference, newPayment, paid, paymentIntent } from "./harness/references.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { askStripe, atStripe } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { whileInsertsFail } from "./harness/whileInsertsFail.ts"

type Changes = Readonly<Record<string, unknown>>

testsOn(Suite.layer, "creation of a case with a payment", (it) => {
  const paymentsOf = ({ organizationId }: Clinic) =>
    Effect.andThen(
      jobsDone("cases", "payment-recording"),
      inDatabase(
        "payments",
        (sql) => sql`
          SELECT case_id, status, trim_scale(gross_amount)::text AS gross, trim_scale(discount)::text AS discount,
                 trim_scale(amount)::text AS amount, currency, is_prepared, differs_from_gateway AS differs
          FROM payments.payments WHERE organization_id = ${organizationId}
        `
      )
    )
  const patientsOf = ({ organizationId }: Clinic) =>
    inDatabase("auth", (sql) => sql`SELECT id FROM auth.users WHERE organization_id = ${organizationId}`)

  const pay = Effect.fnUntraced(function* (clinic: Clinic, changes: Changes = {}, body: Changes = {}) {
    const payment = { ...(yield* newPayment), ...changes }
    return yield* createCase(clinic, caseBody(clinic, { payment, ...body }))
  })

  const unacceptable = (error: string) => [422, { success: false, message: "Validation failed", error }]

  const newCode = Effect.fnUntraced(function* (promo: Changes) {
    const code = `CODE-${randomUUID()}`
    const created = yield* admin("POST", "/promo-codes", { code, ...promo })
    assert.strictEqual(created.status, 201)
    return code
  })
  const usesOf = (code: string) =>
    Effect.map(admin("GET", `/promo-codes?code=${code}`), ({ json }) => json.data[0]?.redemptions)

  it("amounts are stored exactly, with the decimals of their currency", function* () {
    for (const [amount, currency, expected] of [
      [0, "USD", "0"],
      [299.99, "usd", "299.99"],
      [999_999_999.99, "Eur", "999999999.99"],
      [1500, "JPY", "1500"],
      [12.345, "KWD", "12.345"]
    ] as const) {
      const clinic = yield* makeClinic
      const { json, status } = yield* pay(clinic, { amount, currency })
      assert.strictEqual(status, 200)
      const money = { gross: expected, discount: null, amount: expected, currency: currency.toUpperCase() }
      assert.deepStrictEqual(yield* paymentsOf(clinic), [
        { case_id: json.data.caseId, status: "UNPAID", ...money, is_prepared: false, differs: false }
      ])
    }
  })

  const notPaid = "payment.status, must be UNPAID, or PAID with a payment intent that has succeeded"

  it("422: invalid amounts and currencies; nothing is stored and the gateway is not called", function* () {
    const clinic = yield* makeClinic
    const stripe = yield* atStripe
    const payment = yield* newPayment
    yield* stripe.forgetRequests
    for (const [changes, error] of [
      [{ amount: -1 }, "payment.amount, must not be negative"],
      [{ amount: 0.001 }, "payment.amount, must have at most 2 decimals in USD"],
      [{ amount: 0.1 + 0.2 }, "payment.amount, must have at most 2 decimals in USD"],
      [{ amount: 1e9 }, "payment.amount, must be below 1,000,000,000"],
      [{ amount: 1e21 }, "payment.amount, must be below 1,000,000,000"],
      [{ amount: 10.5, currency: "jpy" }, "payment.amount, must have no decimals in JPY"],
      [{ amount: 1.2345, currency: "KWD" }, "payment.amount, must have at most 3 decimals in KWD"],
      [{ currency: "ZZZ" }, "payment.currency, must be an ISO 4217 currency code"],
      [{ currency: "" }, "payment.currency, must be an ISO 4217 currency code"],
      [{ status: "PAID" }, notPaid],
      [{ status: "paid" }, notPaid],
      [{ status: "REFUND", providerReference: { type: "PAYMENT_INTENT", id: "pi_unknown" } }, notPaid]
    ] as const) {
      const refused = yield* createCase(clinic, caseBody(clinic, { payment: { ...payment, ...changes } }))
      assert.deepStrictEqual([refused.status, refused.json], unacceptable(error))
    }
    assert.deepStrictEqual(yield* stripe.requests, [])
    assert.deepStrictEqual([yield* paymentsOf(clinic), yield* patientsOf(clinic)], [[], []])
  })

  it("422: a reference that the gateway does not have or that does not match; nobody is enrolled", function* () {
    const clinic = yield* makeClinic
    const [setup, intent] = [yield* confirmedSetupReference, yield* paymentIntent()]
    const open = yield* askStripe((client) => client.setupIntents.create())
    const canceled = yield* paymentIntent()
    yield* askStripe((client) => client.paymentIntents.cancel(canceled.id))
    const foreign = yield* paymentIntent({ metadata: { organizationId: (yield* makeClinic).organizationId } })
    for (const [providerReference, reason] of [
      [{ ...setup, id: "seti_unknown" }, "no such setup intent"],
      [{ ...intent, id: "pi_unknown" }, "no such payment intent"],
      [{ type: "PAYMENT_TOKEN", id: "pm_unknown" }, "no such payment token"],
      [{ ...setup, id: intent.id }, "no such setup intent"],
      [{ ...intent, id: setup.id }, "no such payment intent"],
      [foreign, "no such payment intent"],
      [{ ...setup, id: open.id }, "the setup intent is not confirmed"],
      [canceled, "the payment intent is canceled"]
    ] as const) {
      const refused = yield* pay(clinic, { providerReference })
      assert.deepStrictEqual(
        [refused.status, refused.json],
        unacceptable(`payment.providerReference.id, ${reason}`),
        providerReference.id
      )
    }
    assert.deepStrictEqual([yield* paymentsOf(clinic), yield* patientsOf(clinic)], [[], []])
    for (const providerReference of [setup, intent, { type: "PAYMENT_TOKEN", id: "pm_card_visa" }]) {
      assert.strictEqual((yield* pay(clinic, { providerReference })).status, 200)
    }
  })

  // The requests that name an intent for a case, each with the status of its refusal.
  const used = "The payment intent is used by another case. Create another payment intent."
  const naming = (clinic: Clinic, providerReference: { readonly id: string; readonly type: "PAYMENT_INTENT" }) => {
    const conflict = [409, { success: false, message: "Case conflict", error: used }]
    const abandoned = () => ({ status: "ABANDONED", idempotencyKey: randomUUID() })
    return [
      { create: pay(clinic, { providerReference }), conflict },
      { create: Effect.suspend(() => pay(clinic, { providerReference }, abandoned())), conflict },
      {
        create: Effect.suspend(() =>
          createDynamicCase(clinic, dynamicBody({ email: newPatient().email, gatewayPaymentId: providerReference.id }))
        ),
        conflict: [409, { success: false, error: used }]
      }
    ]
  }

  it("409: an intent that another case uses, whichever way both name it, also after that case is closed", function* () {
    for (const index of [0, 1, 2]) {
      const clinic = yield* makeClinic
      const providerReference = yield* paymentIntent()
      const bodies = naming(clinic, providerReference)
      const first = yield* bodies[index]?.create ?? assert.fail("no such way")
      assert.strictEqual(first.status, 200)
      yield* paymentsOf(clinic)
      const patients = yield* patientsOf(clinic)
      for (const isClosed of [false, true]) {
        if (isClosed) yield* closeCase(clinic, first.json.data.caseId)
        for (const { conflict, create } of bodies) {
          const { json, status } = yield* create
          assert.deepStrictEqual([status, json], conflict)
        }
      }
      assert.deepStrictEqual(yield* patientsOf(clinic), patients)
      assert.lengthOf(yield* paymentsOf(clinic), 1)
      // An intent of another organization does not matter here.
      const other = yield* makeClinic
      const abandonedCase = yield* pay(other, { providerReference }, { status: "ABANDONED", idempotencyKey: "left" })
      assert.strictEqual(abandonedCase.status, 200)
    }
  })

  it("409: of twelve parallel cases with one intent, four for each way to name it, one is created", function* () {
    for (let round = 0; round < 3; round++) {
      const clinic = yield* makeClinic
      const bodies = naming(clinic, yield* paymentIntent())
      const answers = yield* Effect.forEach(
        [...bodies, ...bodies, ...bodies, ...bodies],
        ({ conflict, create }) => Effect.map(create, ({ json, status }) => ({ conflict, answer: [status, json] })),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ answer: [status] }) => status === 200),
        1
      )
      for (const { answer, conflict } of answers) if (answer[0] !== 200) assert.deepStrictEqual(answer, conflict)
      assert.lengthOf(yield* paymentsOf(clinic), 1)
      const stored = yield* inDatabase(
        "cases",
        (sql) => sql`SELECT id FROM cases.cases WHERE organization_id = ${clinic.organizationId}`
      )
      assert.lengthOf(stored, 1)
    }
  })

  it("a repeat with the same key gets the same case, which keeps the intent", function* () {
    const clinic = yield* makeClinic
    for (const status of ["OPEN", "ABANDONED"]) {
      const payment = { amount: 10, currency: "USD", providerReference: yield* paymentIntent() }
      const body = caseBody(clinic, { status, idempotencyKey: status, payment })
      const answers = yield* Effect.all([createCase(clinic, body), createCase(clinic, body)], { concurrency: 2 })
      const third = yield* createCase(clinic, body)
      for (const { json, status: responseStatus } of answers) {
        if (responseStatus === 200) assert.deepStrictEqual(json, third.json)
        else assert.strictEqual(json.code, "IDEMPOTENCY_ERROR")
      }
      assert.strictEqual(third.status, 200)
    }
  })

  it("an intent that succeeded makes the payment PAID, one that is held AUTHORIZED, one still open UNPAID", function* () {
    const clinic = yield* makeClinic
    for (const [changes, status] of [
      [paid, "PAID"],
      [{ ...paid, capture_method: "manual" }, "AUTHORIZED"],
      [{ amount: 999 }, "UNPAID"]
    ] as const) {
      const created = yield* pay(clinic, { providerReference: yield* paymentIntent(changes) })
      assert.strictEqual(created.status, 200)
      const [payment] = (yield* paymentsOf(clinic)).filter(({ case_id }) => case_id === created.json.data.caseId)
      assert.deepInclude(payment, { status, differs: "amount" in changes })
    }
  })

  it("a payment with status PAID is accepted if its intent has succeeded, and otherwise a 422 that stores nothing", function* () {
    const clinic = yield* makeClinic
    const [open, capturable] = [yield* paymentIntent(), yield* paymentIntent({ ...paid, capture_method: "manual" })]
    for (const providerReference of [open, capturable]) {
      const refused = yield* pay(clinic, { providerReference, status: "PAID" })
      assert.deepStrictEqual([refused.status, refused.json], unacceptable(notPaid))
    }
    assert.deepStrictEqual([yield* paymentsOf(clinic), yield* patientsOf(clinic)], [[], []])
    // The intent stays free for a request with the true status, or until the status is true.
    assert.strictEqual((yield* pay(clinic, { providerReference: capturable })).status, 200)
    const stripe = yield* atStripe
    yield* stripe.confirm(open.id, { payment_method: "pm_card_visa", return_url: "https://example.com" })
    const created = yield* pay(clinic, { providerReference: open, status: "PAID" })
    assert.strictEqual(created.status, 200)
    const [payment] = (yield* paymentsOf(clinic)).filter(({ case_id }) => case_id === created.json.data.caseId)
    assert.deepInclude(payment, { status: "PAID", gross: "10", is_prepared: false })
    // The payment of an abandoned checkout is not checked.
    const abandoned = { status: "ABANDONED", idempotencyKey: "left" }
    const unpaid = yield* pay(clinic, { providerReference: yield* paymentIntent(), status: "PAID" }, abandoned)
    assert.strictEqual(unpaid.status, 200)
    const statuses = (yield* paymentsOf(clinic)).map(({ status }) => status)
    assert.sameMembers(statuses, ["AUTHORIZED", "PAID", "UNPAID"])
  })

  it("intents that an organization made through the API pay only its own cases", function* () {
    const stripe = yield* atStripe
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const create = (path: string, body: object) =>
      Effect.gen(function* () {
        const { json } = yield* call("POST", `/api/v1/payments/${path}`, { key: clinic.key, body })
        const secret: string = json.data.paymentIntentSecret ?? json.data.setupIntentSecret
        const id = secret.replace(/_secret_.*/, "")
        yield* stripe.confirm(id, { payment_method: "pm_card_visa", return_url: "https://example.com" })
        return id
      })
    for (const [type, id, status] of [
      ["PAYMENT_INTENT", yield* create("intent", { amount: 10 }), "PAID"],
      ["SETUP_INTENT", yield* create("setup", {}), "UNPAID"]
    ] as const) {
      const providerReference = { type, id }
      assert.strictEqual((yield* pay(other, { providerReference })).status, 422)
      const { json } = yield* pay(clinic, { providerReference })
      const payment = (yield* paymentsOf(clinic)).find(({ case_id }) => case_id === json.data.caseId)
      assert.deepInclude(payment, { status, differs: false })
    }
  })

  it("an open intent is paid by its event, before or after the creation", function* () {
    const stripe = yield* atStripe
    const clinic = yield* makeClinic
    const providerReference = yield* paymentIntent()
    yield* pay(clinic, { providerReference })
    yield* stripe.confirm(providerReference.id, { payment_method: "pm_card_visa", return_url: "https://example.com" })
    yield* until(paymentsOf(clinic), ([payment]) => payment?.["status"] === "PAID")
  })

  it("ABANDONED: nothing is checked and the gateway is not called; an earlier event opens the case", function* () {
    const stripe = yield* atStripe
    const clinic = yield* makeClinic
    const intent = yield* paymentIntent({ metadata: { organizationId: clinic.organizationId }, ...paid })
    yield* until(
      inDatabase("payments", (sql) => sql`SELECT id FROM payments.payment_intents WHERE id = ${intent.id}`),
      (rows) => rows.length === 1
    )
    yield* stripe.forgetRequests
    const abandon = (providerReference: object, body: Changes = {}) =>
      createCase(clinic, caseBody(clinic, { status: "ABANDONED", payment: { providerReference }, ...body }))
    const abandonedCase = yield* abandon({ type: "SETUP_INTENT", id: "seti_unknown" })
    const opened = yield* abandon(intent, { idempotencyKey: "attempt-1" })
    assert.deepStrictEqual([abandonedCase.status, opened.status], [200, 200])
    const statusOf = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json.status)
    yield* until(statusOf(opened.json.data.caseId), (status) => status !== "ABANDONED")
    assert.strictEqual(yield* statusOf(abandonedCase.json.data.caseId), "ABANDONED")
    const unlooked = { gross: null, discount: null, amount: null, currency: null, is_prepared: false, differs: false }
    assert.sameDeepMembers(
      [...(yield* paymentsOf(clinic))],
      [
        { case_id: abandonedCase.json.data.caseId, status: "UNPAID", ...unlooked },
        { case_id: opened.json.data.caseId, status: "PAID", ...unlooked }
      ]
    )
    assert.deepStrictEqual(yield* stripe.requests, [])
  })

  it("503: while the gateway is down nothing is stored, and cases without a payment are created", function* () {
    const stripe = yield* atStripe
    const clinic = yield* makeClinic
    const payment = yield* newPayment
    const body = caseBody(clinic, { payment, idempotencyKey: "again" })
    yield* stripe.addTrouble({ path: "/v1/setup_intents/*", does: "failBefore", times: 1000 })
    const away = yield* createCase(clinic, body)
    assert.strictEqual(away.status, 503)
    assert.isNotNull(away.headers.get("retry-after"))
    assert.deepStrictEqual([yield* paymentsOf(clinic), yield* patientsOf(clinic)], [[], []])
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
    yield* stripe.clearTroubles
    yield* until(createCase(clinic, body), ({ status }) => status === 200)
    assert.lengthOf(yield* paymentsOf(clinic), 1)
  })

  it("503: missing responses of the gateway for one organization do not prevent others from paying", function* () {
    const stripe = yield* atStripe
    const [clinic, bystander] = [yield* makeClinic, yield* makeClinic]
    const payment = yield* newPayment
    yield* stripe.addTrouble({
      path: `/v1/setup_intents/${payment.providerReference.id}`,
      does: "hangUpBefore",
      times: 1000
    })
    const statuses = Effect.map(
      Effect.all(
        Array.from({ length: 12 }, () => createCase(clinic, caseBody(clinic, { payment }))),
        { concurrency: "unbounded" }
      ),
      (answers) => new Set(answers.map(({ status }) => status))
    )
    for (const _ of [1, 2]) {
      assert.deepStrictEqual(yield* statuses, new Set([503]))
      assert.strictEqual((yield* pay(bystander)).status, 200)
    }
    yield* stripe.clearTroubles
  })

  it("a creation that is refused after its payment was prepared leaves no payment, and its intent and codes are free at once", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const promoCode = yield* newCode({ organizationId, percentDiscount: 10, maxRedemptions: 1 })
    const providerReference = yield* paymentIntent({ amount: 900 })
    const payment = { amount: 10, currency: "USD", promoCode, providerReference }
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    const staff = `staff.${organizationId}@example.com`
    const member = { firstName: "Jane", lastName: "Rivera", role: "SUPPORT", email: staff }
    assert.strictEqual((yield* admin("POST", `/organizations/${organizationId}/members`, member)).status, 201)
    for (const [user, status] of [
      [body.user, 409],
      [{ ...newPatient(), email: staff }, 422],
      [{ ...newPatient(), phoneNumber: body.user.phoneNumber }, 422]
    ] as const) {
      for (const idempotencyKey of [undefined, "once"]) {
        const refused = yield* createCase(clinic, caseBody(clinic, { user, payment, idempotencyKey }))
        assert.strictEqual(refused.status, status)
        assert.deepStrictEqual([yield* paymentsOf(clinic), yield* usesOf(promoCode)], [[], 0])
      }
    }
    const created = yield* createCase(clinic, caseBody(clinic, { payment }))
    assert.strictEqual(created.status, 200)
    assert.strictEqual(yield* usesOf(promoCode), 1)
    const money = { gross: "10", discount: "1", amount: "9", currency: "USD" }
    assert.deepStrictEqual(yield* paymentsOf(clinic), [
      { case_id: created.json.data.caseId, status: "UNPAID", ...money, is_prepared: false, differs: false }
    ])
  })

  it("503: a case is not stored more than a minute after its payment was prepared, and the payment is released", function* () {
    const clinic = yield* makeClinic
    const time = yield* SuiteTime
    const promoCode = yield* newCode({ percentDiscount: 10 })
    const payment = { ...(yield* newPayment), promoCode }
    const body = caseBody(clinic, { payment, idempotencyKey: "late" })
    // Blocks the creation while it enrolls its patient.
    const late = yield* inDatabase("auth", (sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`LOCK TABLE auth.users IN EXCLUSIVE MODE`
          const request = yield* Effect.forkChild(createCase(clinic, body))
          yield* until(
            sql`
                SELECT pid FROM pg_locks WHERE relation = 'auth.users'::regclass AND NOT granted
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
              `,
            (waiting) => waiting.length > 0
          )
          // Another request may have been the first to wait.
          yield* until(usesOf(promoCode), (uses) => uses === 1)
          yield* time.advance("61 seconds")
          return request
        })
      )
    )
    assert.strictEqual((yield* Fiber.join(late)).status, 503)
    assert.deepStrictEqual([yield* paymentsOf(clinic), yield* usesOf(promoCode)], [[], 0])
    assert.strictEqual((yield* createCase(clinic, body)).status, 200)
    assert.deepStrictEqual([(yield* paymentsOf(clinic)).length, yield* usesOf(promoCode)], [1, 1])
  })

  it("if it is unknown whether the case was stored, its payment stays until payments has checked", function* () {
    const clinic = yield* makeClinic
    const promoCode = yield* newCode({ percentDiscount: 10 })
    const payment = { ...(yield* newPayment), promoCode }
    const body = caseBody(clinic, { payment, idempotencyKey: "unknown" })
    const failed = yield* whileInsertsFail("cases", "cases", "true", createCase(clinic, body))
    assert.strictEqual(failed.status, 500)
    const [stored] = yield* paymentsOf(clinic)
    assert.deepInclude(stored, { is_prepared: true })
    assert.strictEqual(yield* usesOf(promoCode), 1)
    yield* checkPreparations(clinic)
    assert.deepStrictEqual([yield* paymentsOf(clinic), yield* usesOf(promoCode)], [[], 0])
    assert.strictEqual((yield* createCase(clinic, body)).status, 200)
    assert.deepStrictEqual([(yield* paymentsOf(clinic)).length, yield* usesOf(promoCode)], [1, 1])
    yield* checkPreparations(clinic)
    assert.deepStrictEqual([(yield* paymentsOf(clinic)).length, yield* usesOf(promoCode)], [1, 1])
  })

  it("20 callers with one Idempotency-Key: one case, one payment, one use of the code", function* () {
    const clinic = yield* makeClinic
    const promoCode = yield* newCode({ percentDiscount: 10 })
    const payment = { ...(yield* newPayment), providerReference: yield* paymentIntent(), promoCode }
    const body = caseBody(clinic, { payment })
    const create = call("POST", "/api/v1/cases", { key: clinic.key, body, headers: { "idempotency-key": "k" } })
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => create),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(new Set(answers.map(({ json }) => json.data?.caseId)).size, 1)
    assert.lengthOf(yield* paymentsOf(clinic), 1)
    assert.strictEqual(yield* usesOf(promoCode), 1)
  })

  it("of 10 creations at once with a code for 3, three have it and the others are refused", function* () {
    const clinic = yield* makeClinic
    const promoCode = yield* newCode({ percentDiscount: 10, maxRedemptions: 3 })
    const payment = { ...(yield* newPayment), promoCode }
    const answers = yield* Effect.forEach(
      Array.from({ length: 10 }, () => caseBody(clinic, { payment })),
      (body) => createCase(clinic, body),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
      200,
      200,
      200,
      ...Array.from({ length: 7 }, () => 400)
    ])
    assert.strictEqual(yield* usesOf(promoCode), 3)
    const payments = yield* paymentsOf(clinic)
    assert.lengthOf(payments, 3)
    for (const row of payments) assert.deepInclude(row, { gross: "10", discount: "1", amount: "9" })
  })

  it("promo codes of the whole and of a product lower the payment; a blank one is none", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const product = Effect.map(
      admin("POST", `/organizations/${organizationId}/products`, { name: "P", price: "100.00", currency: "USD" }),
      ({ json }): string => json.id
    )
    const [firstProduct, other] = [yield* product, yield* product]
    const whole = yield* newCode({ organizationId, flatDiscount: 20 })
    const half = yield* newCode({ organizationId, percentDiscount: 50 })
    const third = yield* newCode({ organizationId, percentDiscount: 33.335 })
    const discounted = (promoCode: string | undefined, codes: ReadonlyArray<string | undefined>) =>
      Effect.gen(function* () {
        const products = [firstProduct, other].map((id, index) => ({ id, payment: { promoCode: codes[index] } }))
        const created = yield* pay(clinic, { amount: 200, promoCode }, { products })
        assert.strictEqual(created.status, 200)
        const found = (yield* paymentsOf(clinic)).find(({ case_id }) => case_id === created.json.data.caseId)
        return [found?.["discount"], found?.["amount"]]
      })
    assert.deepStrictEqual(yield* discounted(" ", ["", undefined]), [null, "200"])
    assert.deepStrictEqual(yield* discounted(whole, []), ["20", "180"])
    assert.deepStrictEqual(yield* discounted(undefined, [half]), ["50", "150"])
    assert.deepStrictEqual(yield* discounted(undefined, [undefined, third]), ["33.34", "166.66"])
    assert.deepStrictEqual(yield* discounted(half, [third]), ["116.67", "83.33"])
    assert.deepStrictEqual(yield* Effect.forEach([whole, half, third], usesOf), [1, 2, 2])
  })

  it("a promo code applies once in a case, by its code or name, wherever it is repeated", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const path = `/organizations/${organizationId}/products`
    const product = (price: string) =>
      Effect.map(admin("POST", path, { name: "P", price, currency: "USD" }), ({ json }): string => json.id)
    const [cheap, dear] = [yield* product("50.00"), yield* product("150.00")]
    const name = `Name ${randomUUID()}`
    const flat = yield* newCode({ organizationId, name, flatDiscount: 20 })
    const percent = yield* newCode({ organizationId, percentDiscount: 50 })
    const discounted = (promoCode: string | undefined, codes: ReadonlyArray<string | undefined>) =>
      Effect.gen(function* () {
        const products = [cheap, dear].map((id, index) => ({ id, payment: { promoCode: codes[index] } }))
        const body = caseBody(clinic, {
          products,
          idempotencyKey: randomUUID(),
          payment: { ...(yield* newPayment), amount: 200, promoCode }
        })
        const created = yield* createCase(clinic, body)
        assert.strictEqual(created.status, 200)
        // The repeated request uses no further discount.
        assert.deepStrictEqual((yield* createCase(clinic, body)).json, created.json)
        const found = (yield* paymentsOf(clinic)).find(({ case_id }) => case_id === created.json.data.caseId)
        return found?.["discount"]
      })
    assert.strictEqual(yield* discounted(flat, [flat.toLowerCase(), name]), "20")
    assert.strictEqual(yield* discounted(undefined, [name, flat]), "20")
    // The discount applies to the whole payment if that names the code, and otherwise to the first product.
    assert.strictEqual(yield* discounted(percent, [percent, percent.toLowerCase()]), "100")
    assert.strictEqual(yield* discounted(undefined, [percent, percent]), "25")
    assert.strictEqual(yield* discounted(undefined, [undefined, percent]), "75")
    // Two codes both apply: the second to the amount that the product's code leaves.
    assert.strictEqual(yield* discounted(percent, [name, flat]), "110")
    assert.deepStrictEqual(yield* Effect.forEach([flat, percent], usesOf), [3, 4])
  })

  it("400: an unknown or inactive promo code, of the whole or of a product; ABANDONED checks none", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const off = yield* newCode({ percentDiscount: 10, isActive: false })
    const foreign = yield* newCode({ percentDiscount: 10, organizationId: (yield* makeClinic).organizationId })
    const path = `/organizations/${organizationId}/products`
    const { id } = (yield* admin("POST", path, { name: "P", price: "5.00" })).json
    for (const promoCode of ["WELCOME10", off, foreign]) {
      const products = [{ id, payment: { promoCode } }]
      for (const refused of [yield* pay(clinic, { promoCode }), yield* pay(clinic, {}, { products })]) {
        assert.deepStrictEqual(
          [refused.status, refused.json],
          [400, { success: false, message: "Invalid request", error: `Promo code ${promoCode} not found or inactive` }]
        )
      }
      const abandoned = yield* pay(clinic, { promoCode }, { products, status: "ABANDONED" })
      assert.strictEqual(abandoned.status, 200)
    }
  })

  it("422: a product's promo code without an amount to reduce", function* () {
    const clinic = yield* makeClinic
    const path = `/organizations/${clinic.organizationId}/products`
    const euros = (yield* admin("POST", path, { name: "P", price: "5.00", currency: "EUR" })).json.id
    const promoCode = yield* newCode({ percentDiscount: 10 })
    const at = "products.1.payment.promoCode"
    const productsOf = (id: string) => [{ id: clinic.productId }, { id, payment: { promoCode } }]
    const refused = [
      [
        yield* createCase(clinic, caseBody(clinic, { products: productsOf(euros) })),
        "needs the payment of the case, whose amount it lowers"
      ],
      [yield* pay(clinic, {}, { products: productsOf(clinic.productId) }), "needs a product that has a price"],
      [
        yield* pay(clinic, {}, { products: productsOf(euros) }),
        "needs a product that has its price in the currency of the payment, not in EUR"
      ]
    ] as const
    for (const [{ json, status }, reason] of refused) {
      assert.deepStrictEqual([status, json], unacceptable(`${at}, ${reason}`))
    }
    assert.strictEqual(yield* usesOf(promoCode), 0)
    assert.strictEqual((yield* pay(clinic, { currency: "EUR" }, { products: productsOf(euros) })).status, 200)
  })

  it("a promo code for bundles applies to their products, and to the whole payment if all products of the case are theirs", function* () {
    const clinic = yield* makeClinic
    const path = `/organizations/${clinic.organizationId}`
    const product = { name: "P", price: "5.00" }
    const [inside, outside] = [
      (yield* admin("POST", `${path}/products`, product)).json.id,
      (yield* admin("POST", `${path}/products`, product)).json.id
    ]
    const bundle = yield* admin("POST", `${path}/bundles`, {
      name: "B",
      description: "B",
      imageUrl: "https://example.com/b.png",
      price: "5.00",
      priceUnit: "USD",
      initialDiscount: "0.00",
      isSoldOut: false,
      isVisible: true,
      productIds: [inside]
    })
    assert.strictEqual(bundle.status, 201)
    const promoCode = yield* newCode({ percentDiscount: 10, bundleIds: [bundle.json.id] })
    const withCode = (id: string) => ({ id, payment: { promoCode } })
    for (const [changes, products, status] of [
      [{ promoCode }, [{ id: inside }], 200],
      [{ promoCode }, [{ id: inside }, { id: outside }], 400],
      [{ promoCode }, [{ id: outside }], 400],
      [{}, [withCode(inside), { id: outside }], 200],
      [{}, [{ id: inside }, withCode(outside)], 400]
    ] as const) {
      assert.strictEqual((yield* pay(clinic, changes, { products })).status, status, JSON.stringify(products))
    }
    assert.strictEqual(yield* usesOf(promoCode), 2)
  })
})

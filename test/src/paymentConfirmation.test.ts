import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, decisionBody, makeClinic } from "./harness/fixtures.ts"
import { createAbandonedCase, eventOf, intentId, sendAll } from "./harness/gatewayEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const unknownId = "3b241101-e2bb-4255-8caf-4136c566a962"

const confirm = (
  { key }: Pick<Clinic, "key">,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {}
) => call("POST", "/api/v1/customer-payment-confirmation", { key, body, headers })

const confirmation = (caseId: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  caseId,
  amount: 299.99,
  paymentDate: "2026-03-01",
  status: "PAID",
  validUntil: "2026-04-01",
  ...changes
})

const confirmed = { status: 200, success: true }
const refused = (error: string) => ({ status: 400, success: false, error })

interface StoredPayment {
  readonly id: string
  readonly user_id: string
  readonly status: string
  readonly amount: string | null
  readonly currency: string | null
  readonly is_initial: boolean
}

/** Reads the payments of a case, oldest first. */
const paymentsOf = (caseId: string) =>
  inDatabase(
    "payments",
    (sql) => sql<StoredPayment>`
      SELECT id, user_id, status, trim_scale(amount)::text AS amount, currency, is_initial FROM payments.payments
      WHERE case_id = ${caseId} ORDER BY created_at, id
    `
  )
const standingOf = (caseId: string) =>
  Effect.map(paymentsOf(caseId), (payments) => payments.map(({ amount, status }) => [status, amount]))

/** Reads the confirmations of the payments of a case. */
const toldOf = (caseId: string) =>
  inDatabase(
    "payments",
    (sql) => sql`
      SELECT payment_id, decision_id, status, trim_scale(amount)::text AS amount, payment_date::text, valid_until::text,
             description IS NOT NULL AS is_described
      FROM payments.payment_confirmations WHERE case_id = ${caseId} ORDER BY payment_date, reported_at
    `
  )

const changesOf = (caseId: string) =>
  Effect.gen(function* () {
    yield* jobsDone("payments", "payment-replication")
    const { json } = yield* admin("GET", `/cases/${caseId}/activity?limit=100`)
    const all: ReadonlyArray<{ readonly type: string; readonly details: Readonly<Record<string, string>> }> = json.data
    return all.flatMap(({ details, type }) =>
      type === "PAYMENT_CHANGED" ? [[details["paymentId"], details["status"]]] : []
    )
  })

/** Makes a case of a clinic that is not assigned. */
const caseOf = (clinic: Clinic) =>
  Effect.map(createCase(clinic, caseBody(clinic, { isTest: true })), ({ json }) => String(json.data.caseId))

/** Makes a case with an initial payment outside of the gateway, which no request of a partner can make. */
const caseWithOpenPayment = Effect.fnUntraced(function* (clinic: Clinic, currency = "USD") {
  const caseId = yield* caseOf(clinic)
  const id = randomUUID()
  const { submitter } = (yield* admin("GET", `/cases/${caseId}`)).json
  yield* inDatabase(
    "payments",
    (sql) => sql`
      INSERT INTO payments.payments (
        organization_id, id, case_id, user_id, is_initial, is_prepared, status, version, currency, gross_amount, amount,
        differs_from_gateway, created_at, updated_at
      ) VALUES (
        ${clinic.organizationId}, ${id}, ${caseId}, ${submitter.id}, true, false, 'UNPAID', 1, ${currency}, 300, 300,
        false, now(), now()
      )
    `
  )
  return { caseId, id }
})

const decide = Effect.fnUntraced(function* (clinic: Clinic, caseId: string) {
  const provider = yield* addStaff(clinic)
  yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })
  const { json } = yield* admin("POST", `/cases/${caseId}/decisions`, decisionBody(provider))
  return String(json.id)
})

testsOn(Suite.shared, "POST /api/v1/customer-payment-confirmation", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    return { clinic, caseId: yield* caseOf(clinic) }
  })

  it("200: the payment is stored beside those of the case, with its confirmation, and the case gets an activity", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const { submitter } = (yield* admin("GET", `/cases/${caseId}`)).json
    yield* expectAnswer(
      confirm(
        clinic,
        confirmation(caseId, { description: "First month", email: submitter.email, phoneNumber: "+14155552671" })
      ),
      200,
      confirmed
    )
    const payments = yield* paymentsOf(caseId)
    const id = payments[0]?.id ?? "-"
    const payment = {
      id,
      user_id: submitter.id,
      status: "PAID",
      amount: "299.99",
      currency: "USD",
      is_initial: false
    }
    assert.deepStrictEqual(payments, [payment])
    assert.deepStrictEqual(yield* toldOf(caseId), [
      {
        payment_id: id,
        decision_id: null,
        status: "PAID",
        amount: "299.99",
        payment_date: "2026-03-01",
        valid_until: "2026-04-01",
        is_described: true
      }
    ])
    assert.deepStrictEqual(yield* changesOf(caseId), [[id, "PAID"]])
  })

  it("200: a confirmation for the same day is the same payment, which takes each confirmed status", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const statuses = ["UNPAID", "PAID", "CANCELED", "IN_DISPUTE", "LOST_DISPUTE", "REFUND", "ERROR", "UNPAID"]
    for (const status of statuses) {
      assert.deepStrictEqual((yield* confirm(clinic, confirmation(caseId, { status }))).json, confirmed)
      assert.deepStrictEqual(yield* standingOf(caseId), [[status, "299.99"]])
      yield* jobsDone("payments", "payment-replication")
    }
    const [{ id } = { id: "-" }] = yield* paymentsOf(caseId)
    assert.deepStrictEqual(
      yield* changesOf(caseId),
      statuses.slice(1).map((status) => [id, status])
    )
    // A repeated confirmation changes nothing; new details are stored beside the earlier ones.
    const longer = { status: "UNPAID", validUntil: "2026-05-01" }
    for (const changes of [{ status: "UNPAID" }, longer, longer]) yield* confirm(clinic, confirmation(caseId, changes))
    assert.deepStrictEqual(yield* standingOf(caseId), [["UNPAID", "299.99"]])
    assert.lengthOf(yield* changesOf(caseId), statuses.length - 1)
    assert.deepStrictEqual(
      (yield* toldOf(caseId)).map((row) => [row["payment_id"], row["status"], row["valid_until"]]),
      [...statuses.map((status) => [id, status, "2026-04-01"]), [id, "UNPAID", "2026-05-01"]]
    )
  })

  it("200: another amount on the same day is another payment, also for 8 parallel confirmations", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const decisionId = yield* decide(clinic, caseId)
    const amounts = [10, 20.5, 30, 40]
    for (const changes of [{}, { decisionId }]) {
      const bodies = amounts.flatMap((amount) => [
        confirmation(caseId, { amount, ...changes }),
        confirmation(caseId, { amount, ...changes })
      ])
      const answers = yield* Effect.forEach(bodies, (body) => confirm(clinic, body), { concurrency: "unbounded" })
      for (const { json } of answers) assert.deepStrictEqual(json, confirmed)
    }
    const expected = ["10", "20.5", "30", "40"].flatMap((amount) => [
      ["PAID", amount],
      ["PAID", amount]
    ])
    assert.sameDeepMembers(yield* standingOf(caseId), expected)
    assert.lengthOf(yield* toldOf(caseId), 8)
    const { json } = yield* confirm(clinic, confirmation(caseId, { amount: 20.500_01 }))
    assert.deepStrictEqual(json, refused("amount, must have at most 2 decimals in USD"))
    // Only one of them changes.
    yield* confirm(clinic, confirmation(caseId, { amount: 20.5, status: "REFUND", description: "Sent back" }))
    assert.sameDeepMembers(yield* standingOf(caseId), [
      ...expected.filter(([, amount]) => amount !== "20.5"),
      ["REFUND", "20.5"],
      ["PAID", "20.5"]
    ])
    assert.lengthOf(yield* toldOf(caseId), 9)
  })

  it("200: another day, and another decision, is another payment", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const decisionId = yield* decide(clinic, caseId)
    for (const changes of [
      {},
      { paymentDate: "2026-04-01" },
      { decisionId },
      { decisionId: decisionId.toUpperCase(), status: "REFUND" },
      { status: "ERROR", decisionId: " " },
      // Unknown decision ids are stored.
      { decisionId: unknownId },
      { decisionId: "Our decision 7", status: "UNPAID" },
      { decisionId: "Our decision 7" }
    ]) {
      assert.deepStrictEqual((yield* confirm(clinic, confirmation(caseId, changes))).json, confirmed)
    }
    assert.sameDeepMembers(
      [...(yield* standingOf(caseId))],
      [
        ["ERROR", "299.99"],
        ["PAID", "299.99"],
        ["PAID", "299.99"],
        ["PAID", "299.99"],
        ["REFUND", "299.99"]
      ]
    )
    const decisions = (yield* toldOf(caseId)).map((row) => row["decision_id"])
    assert.includeMembers(decisions, [null, decisionId, unknownId])
    assert.lengthOf(new Set(decisions), 4)
    const stored = yield* inDatabase(
      "payments",
      (sql) => sql`SELECT external_decision FROM payments.payment_confirmations WHERE case_id = ${caseId}`
    )
    assert.isTrue(stored.some((row) => row["external_decision"] !== null))
    assert.notInclude(JSON.stringify(stored), "Our decision 7")
  })

  for (const status of ["PAID", "UNPAID"]) {
    it(`200: what the case began with is what was ${status}, once, when it is open without the gateway`, function* () {
      const clinic = yield* makeClinic
      const { caseId, id } = yield* caseWithOpenPayment(clinic)
      yield* confirm(clinic, confirmation(caseId, { status }))
      assert.deepStrictEqual(yield* standingOf(caseId), [[status, "300"]])
      assert.deepInclude((yield* toldOf(caseId))[0], { payment_id: id, amount: "299.99" })
      yield* confirm(clinic, confirmation(caseId, { paymentDate: "2026-04-01" }))
      assert.deepStrictEqual(yield* standingOf(caseId), [
        [status, "300"],
        ["PAID", "299.99"]
      ])
      yield* confirm(clinic, confirmation(caseId, { status: "REFUND" }))
      assert.deepStrictEqual(yield* standingOf(caseId), [
        ["REFUND", "300"],
        ["PAID", "299.99"]
      ])
    })
  }

  it("200: the initial payment at the gateway does not change", function* () {
    const clinic = yield* makeClinic
    const { caseId, id } = yield* caseWithOpenPayment(clinic)
    yield* inDatabase(
      "payments",
      (sql) => sql`
            UPDATE payments.payments SET provider_reference_type = 'SETUP_INTENT', provider_reference_id = 'seti_1'
            WHERE id = ${id}
          `
    )
    yield* confirm(clinic, confirmation(caseId))
    assert.deepStrictEqual(yield* standingOf(caseId), [
      ["UNPAID", "300"],
      ["PAID", "299.99"]
    ])
  })

  it("200: amounts are exact, in the currency of the initial payment", function* () {
    const clinic = yield* makeClinic
    const { caseId } = yield* clinicWithCase
    const { caseId: yen } = yield* caseWithOpenPayment(clinic, "JPY")
    const { caseId: dinars } = yield* caseWithOpenPayment(clinic, "KWD")
    const amount = (value: number, path = yen) => confirm(clinic, confirmation(path, { amount: value }))
    assert.deepStrictEqual((yield* amount(10.5)).json, refused("amount, must have no decimals in JPY"))
    assert.deepStrictEqual((yield* amount(10)).json, confirmed)
    assert.deepStrictEqual((yield* amount(1.2345, dinars)).json, refused("amount, must have at most 3 decimals in KWD"))
    assert.deepStrictEqual((yield* amount(1.234, dinars)).json, confirmed)
    assert.deepInclude((yield* toldOf(dinars))[0], { amount: "1.234" })
    const existing = yield* clinicWithCase
    for (const [day, value] of [0, 999_999_999.99, 0.1].entries()) {
      const answer = yield* confirm(
        existing.clinic,
        confirmation(existing.caseId, { amount: value, paymentDate: `2026-03-0${day + 1}` })
      )
      assert.deepStrictEqual(answer.json, confirmed)
    }
    assert.deepStrictEqual(yield* standingOf(existing.caseId), [
      ["PAID", "0"],
      ["PAID", "999999999.99"],
      ["PAID", "0.1"]
    ])
    assert.deepStrictEqual(yield* standingOf(caseId), [])
  })

  it("200: for a case with only a reference the amount is in the currency of the intent", function* () {
    const clinic = yield* makeClinic
    const intent = intentId()
    const caseId = yield* createAbandonedCase(clinic, intent)
    const paid = { id: intent, amount: 5000, currency: "jpy", status: "succeeded" }
    yield* sendAll(eventOf("payment_intent.succeeded", paid))
    const { json } = yield* confirm(clinic, confirmation(caseId, { amount: 10.5 }))
    assert.deepStrictEqual(json, refused("amount, must have no decimals in JPY"))
    assert.deepStrictEqual((yield* confirm(clinic, confirmation(caseId, { amount: 5000 }))).json, confirmed)
    assert.deepStrictEqual(
      (yield* paymentsOf(caseId)).map(({ amount, currency }) => [amount, currency]),
      [
        [null, null],
        ["5000", "JPY"]
      ]
    )
  })

  it("200: a payment keeps its first currency, also if the intent turns out to have another one", function* () {
    const clinic = yield* makeClinic
    const intent = intentId()
    const caseId = yield* createAbandonedCase(clinic, intent)
    const amount = (value: number, changes: object = {}) =>
      confirm(clinic, confirmation(caseId, { amount: value, ...changes }))
    assert.deepStrictEqual((yield* amount(12.5)).json, confirmed)
    const paid = { id: intent, amount: 5000, currency: "jpy", status: "succeeded" }
    yield* sendAll(eventOf("payment_intent.succeeded", paid))
    assert.deepStrictEqual((yield* amount(12.5, { status: "REFUND" })).json, confirmed)
    assert.deepInclude((yield* toldOf(caseId)).at(-1), { status: "REFUND", amount: "12.5" })
    // Another amount or day makes another payment, in the currency that is known by then.
    const { json } = yield* amount(12.25)
    assert.deepStrictEqual(json, refused("amount, must have no decimals in JPY"))
    const later = { paymentDate: "2026-04-01" }
    assert.deepStrictEqual((yield* amount(12.5, later)).json, refused("amount, must have no decimals in JPY"))
    assert.deepStrictEqual((yield* amount(1900, later)).json, confirmed)
    assert.deepStrictEqual(
      (yield* paymentsOf(caseId)).map(({ amount, currency, status }) => [status, amount, currency]),
      [
        ["PAID", null, null],
        ["REFUND", "12.5", "USD"],
        ["PAID", "1900", "JPY"]
      ]
    )
    assert.lengthOf(yield* toldOf(caseId), 3)
  })

  const amountRefused = "amount, must be an amount from 0, below 1,000,000,000"
  const statusRefused = "status, must be one of PAID, UNPAID, CANCELED, IN_DISPUTE, LOST_DISPUTE, REFUND, ERROR"
  const day = "must be a date in the form YYYY-MM-DD"
  const wrong: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, string]> = [
    ...["caseId", "amount", "paymentDate", "status", "validUntil"].map(
      (field) => [`no ${field}`, { [field]: undefined }, `${field}, Required`] as const
    ),
    ["case number", { caseId: 1 }, "caseId, must be a text"],
    ["case id that is none", { caseId: "x" }, "caseId, must be a valid UUID"],
    ["unknown case", { caseId: unknownId }, "No Case found for provided details!"],
    ["amount text", { amount: "10" }, "amount, must be a number"],
    ["amount -1", { amount: -1 }, amountRefused],
    ["amount 1e21", { amount: 1e21 }, amountRefused],
    ["amount 1e9", { amount: 1e9 }, "amount, must be below 1,000,000,000"],
    ["amount 0.001", { amount: 0.001 }, "amount, must have at most 2 decimals in USD"],
    ["amount 0.1 + 0.2", { amount: 0.1 + 0.2 }, "amount, must have at most 2 decimals in USD"],
    ["status", { status: "paid" }, statusRefused],
    ["the gateway's status", { status: "AUTHORIZED" }, statusRefused],
    ["status number", { status: 1 }, statusRefused],
    ...["paymentDate", "validUntil"].flatMap((field) => [
      [`${field} that is no day`, { [field]: "2026-02-30" }, `${field}, ${day}`] as const,
      [`${field} with a time`, { [field]: "2026-03-01T00:00:00Z" }, `${field}, ${day}`] as const,
      [`${field} number`, { [field]: 20260301 }, `${field}, must be a text`] as const
    ]),
    ["email number", { email: 1 }, "email, must be a text"],
    ["phone number", { phoneNumber: 1 }, "phoneNumber, must be a text"],
    ["description number", { description: 1 }, "description, must be a text"],
    ["long description", { description: "x".repeat(10_001) }, "description, must be at most 10000 characters long"],
    ["long decision", { decisionId: "x".repeat(256) }, "decisionId, must be at most 255 characters long"]
  ]
  for (const [name, changes, error] of wrong) {
    it(`400: ${name}`, function* () {
      const { caseId, clinic } = yield* clinicWithCase
      yield* expectAnswer(confirm(clinic, confirmation(caseId, changes)), 400, refused(error))
      assert.deepStrictEqual(yield* paymentsOf(caseId), [])
    })
  }

  it("409: the key with another body; the same 20 times at once is one payment, with a key and without", function* () {
    const clinic = yield* makeClinic
    const headers = { "idempotency-key": randomUUID() }
    for (const idempotency of [headers, {}]) {
      const caseId = yield* caseOf(clinic)
      const { caseId: openCaseId } = yield* caseWithOpenPayment(clinic)
      const body = idempotency === headers ? [confirmation(caseId)] : [confirmation(caseId), confirmation(openCaseId)]
      const answers = yield* Effect.all(
        body.flatMap((item) => Array.from({ length: 20 }, () => confirm(clinic, item, idempotency))),
        { concurrency: "unbounded" }
      )
      for (const { json } of answers) assert.deepStrictEqual(json, confirmed)
      assert.deepStrictEqual(yield* standingOf(caseId), [["PAID", "299.99"]])
      assert.lengthOf(yield* changesOf(caseId), 1)
      assert.deepStrictEqual(yield* standingOf(openCaseId), [[idempotency === headers ? "UNPAID" : "PAID", "300"]])
    }
    const { json, status } = yield* confirm(clinic, confirmation(yield* caseOf(clinic)), headers)
    assert.deepStrictEqual(
      [status, json],
      [
        409,
        {
          status: 409,
          success: false,
          error: "The idempotency key was used with another body.",
          code: "IDEMPOTENCY_ERROR"
        }
      ]
    )
  })

  it("of 20 parallel confirmations for different days one becomes the initial payment, and the others are stored beside it", function* () {
    const clinic = yield* makeClinic
    const { caseId } = yield* caseWithOpenPayment(clinic)
    const days = Array.from({ length: 20 }, (_, index) => `2026-03-${String(index + 1).padStart(2, "0")}`)
    yield* Effect.forEach(
      days,
      (paymentDate) => confirm(clinic, confirmation(caseId, { paymentDate, status: "UNPAID" })),
      {
        concurrency: "unbounded"
      }
    )
    const payments = yield* paymentsOf(caseId)
    assert.lengthOf(payments, 20)
    assert.lengthOf(
      payments.filter(({ is_initial }) => is_initial),
      1
    )
    const stored = yield* toldOf(caseId)
    assert.sameMembers(
      stored.map((row) => row["payment_id"]),
      payments.map(({ id }) => id)
    )
  })
})

import { errorCodeHeader } from "@care/domain/http"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brokenJson } from "../errors/gatewayErrors.ts"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

testsOn(Suite.shared, "case creation through the gateway", (it) => {
  it("200: creates a case that can be read back with what was sent", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const created = yield* createCase(clinic, body)
    assert.strictEqual(created.status, 200)
    assert.deepStrictEqual(Object.keys(created.json), ["success", "data"])
    assert.match(created.json.data.caseId, uuid)
    const { caseId } = created.json.data

    const read = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    assert.strictEqual(read.status, 200)
    const { caseDetail } = read.json
    assert.deepInclude(caseDetail, {
      id: caseId,
      title: "Semaglutide program",
      status: "OPEN",
      type: "SYNC_VIDEO",
      isArchived: false,
      assignedTo: null,
      comments: [],
      notes: [],
      decisions: []
    })
    assert.match(caseDetail.shortId, /^[0-9A-HJKMNP-TV-Z]{8}$/)
    assert.match(caseDetail.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepInclude(caseDetail.submitter, {
      email: body.user.email,
      firstName: "Maria",
      role: "USER",
      phoneNumber: body.user.phoneNumber,
      isActive: true
    })

    const inside = (yield* admin("GET", `/cases/${caseId}`)).json
    assert.strictEqual(inside.organizationId, clinic.organizationId)
    assert.deepStrictEqual(inside.products, [
      {
        productId: clinic.productId,
        name: "Semaglutide program",
        price: null,
        currency: null,
        status: "OPEN",
        visitType: "SYNC_VIDEO",
        dueDate: null,
        closedAt: null,
        closeReason: null
      }
    ])
    assert.deepStrictEqual(
      inside.formResponses[0].questions.map(({ answer }: { readonly answer: string }) => answer),
      ["185", "No"]
    )
  })

  const abandoned = (user: Readonly<Record<string, unknown>>) => {
    const { email, firstName, lastName } = newPatient()
    return { status: "abandoned", user: { email, firstName, lastName, ...user } }
  }

  it("200: an ABANDONED case needs no phone number and no date of birth, in any letter case", function* () {
    const clinic = yield* makeClinic
    const created = yield* createCase(clinic, caseBody(clinic, abandoned({})))
    assert.strictEqual(created.status, 200)
    const read = yield* admin("GET", `/cases/${created.json.data.caseId}`)
    assert.strictEqual(read.json.status, "ABANDONED")
  })

  it("200: ABANDONED skips the validation of the payment", function* () {
    const clinic = yield* makeClinic
    const payment = { amount: -1, currency: "XXX", providerReference: { type: "SETUP_INTENT", id: "seti_unknown" } }
    const created = yield* createCase(clinic, caseBody(clinic, { ...abandoned({}), payment }))
    assert.strictEqual(created.status, 200)
  })

  it("400: a payment-intent case made in advance needs an idempotency key", function* () {
    const clinic = yield* makeClinic
    const payment = { providerReference: { type: "PAYMENT_INTENT", id: "pi_1" } }
    const body = caseBody(clinic, { ...abandoned({}), payment })
    yield* expectAnswer(createCase(clinic, body), 400, {
      success: false,
      message: "Invalid request",
      error: "idempotencyKey, Required"
    })
    assert.strictEqual((yield* createCase(clinic, { ...body, idempotencyKey: "attempt-1" })).status, 200)
    const other = { ...body, payment: { providerReference: { type: "PAYMENT_INTENT", id: "pi_2" } } }
    assert.strictEqual(
      (yield* call("POST", "/api/v1/cases", { key: clinic.key, body: other, headers: { "idempotency-key": "2" } }))
        .status,
      200
    )
  })

  it("400: a body that is not JSON, or no object", function* () {
    const clinic = yield* makeClinic
    for (const raw of ["", "[]", '"x"', "null", "7"]) {
      yield* expectAnswer(call("POST", "/api/v1/cases", { key: clinic.key, raw }), 400, {
        success: false,
        message: "Invalid request",
        error: "body, must be a JSON object"
      })
    }
    // As the catalogue of errors shows it.
    for (const raw of ['{ "user": ', "{", "user=1", "{'a': 1}"]) {
      const { headers, json, status } = yield* call("POST", "/api/v1/cases", { key: clinic.key, raw })
      assert.deepStrictEqual([status, json], [brokenJson.status, brokenJson.body])
      assert.strictEqual(headers.get(errorCodeHeader), "REQUEST_INVALID")
    }
  })

  it("400: names the field that is missing or mistyped, and stores nothing", function* () {
    const clinic = yield* makeClinic
    const good = caseBody(clinic)
    const [product] = good.products
    const type = "SETUP_INTENT"
    const providerReference = { type, id: "seti_1" }
    const payment = { amount: 1, currency: "USD", providerReference }
    const withReference = (reference: object) => ({ ...good, payment: { ...payment, providerReference: reference } })
    const cases: ReadonlyArray<readonly [string, unknown]> = [
      ["user, Required", { ...good, user: undefined }],
      ["user.firstName, Required", { ...good, user: { ...good.user, firstName: undefined } }],
      ["user.firstName, must not be empty", { ...good, user: { ...good.user, firstName: " " } }],
      ["user.lastName, must be a text", { ...good, user: { ...good.user, lastName: 7 } }],
      ["user.email, must be a valid email", { ...good, user: { ...good.user, email: "maria" } }],
      ["user.phoneNumber, Required", { ...good, user: { ...good.user, phoneNumber: undefined } }],
      [
        "user.phoneNumber, must be a valid phone number in E.164 format",
        { ...good, user: { ...good.user, phoneNumber: "4155552671" } }
      ],
      ["user.dob, Required", { ...good, user: { ...good.user, dob: undefined } }],
      ["user.gender, must be one of MALE, FEMALE, OTHER", { ...good, user: { ...good.user, gender: "X" } }],
      ["products, Required", { ...good, products: undefined }],
      ["products, At least one product is required", { ...good, products: [] }],
      ["products.0.id, must be a valid UUID", { ...good, products: [{ ...product, id: "p1" }] }],
      ["isTest, must be true or false", { ...good, isTest: "yes" }],
      ["forceCreate, must be true or false", { ...good, forceCreate: 1 }],
      ["status, must be one of OPEN, ABANDONED", { ...good, status: "CLOSED" }],
      ["payment.providerReference, Required", { ...good, payment: { amount: 1, currency: "USD" } }],
      ["payment.amount, Required", { ...good, payment: { currency: "USD", providerReference } }],
      ["payment.currency, Required", { ...good, payment: { amount: 1, providerReference } }],
      ["payment.amount, must be a number", { ...good, payment: { ...payment, amount: "10" } }],
      ["payment.currency, must be a text", { ...good, payment: { ...payment, currency: 7 } }],
      ["payment.promoCode, must be a text", { ...good, payment: { ...payment, promoCode: 7 } }],
      ["payment.providerReference.id, Required", { ...good, payment: { ...payment, providerReference: { type } } }],
      ["payment.providerReference.id, must not be empty", withReference({ type, id: " " })],
      [
        "payment.providerReference.type, must be one of SETUP_INTENT, PAYMENT_INTENT, PAYMENT_TOKEN",
        withReference({ type: "CARD", id: "seti_1" })
      ],
      [
        "isTest, must be true or false; user.firstName, Required; user.email, must be a valid email; products.1.id, must be a valid UUID",
        {
          ...good,
          isTest: "no",
          user: { ...good.user, firstName: undefined, email: "maria" },
          products: [product, { id: "p2" }]
        }
      ],
      [
        "user.phoneNumber, Required; user.dob, Required",
        { ...good, user: { ...good.user, phoneNumber: undefined, dob: undefined } }
      ],
      [
        "products, At most 100 products are possible",
        { ...good, products: Array.from({ length: 2000 }, () => ({ id: product?.id })) }
      ],
      [
        "user.languagePreferences, must be at most 50 languages",
        { ...good, user: { ...good.user, languagePreferences: Array.from({ length: 100_000 }, () => "en") } }
      ],
      [
        "user.firstName, must not contain NUL or unpaired surrogate characters",
        { ...good, user: { ...good.user, firstName: "a\u0000b" } }
      ]
    ]
    for (const [error, body] of cases) {
      yield* expectAnswer(createCase(clinic, body), 400, { success: false, message: "Invalid request", error })
    }
    const read = yield* call("GET", `/api/v1/customer-latest-case-id?email=${good.user.email}`, { key: clinic.key })
    assert.strictEqual(read.status, 400)
  })

  it("409: a second open case of the same patient, unless forceCreate; another organization does not matter", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const { user } = caseBody(clinic)
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic, { user }))).status, 200)
    const conflict = yield* createCase(clinic, caseBody(clinic, { user }))
    assert.deepInclude(conflict.json, { success: false, message: "Case conflict" })
    assert.strictEqual(conflict.status, 409)
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic, { user, forceCreate: true }))).status, 200)
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic, { user, status: "ABANDONED" }))).status, 200)
    assert.strictEqual((yield* createCase(other, caseBody(other, { user }))).status, 200)
  })

  it("two parallel creations for one patient make one case and one 409", function* () {
    const clinic = yield* makeClinic
    for (let round = 0; round < 10; round += 1) {
      const { user } = caseBody(clinic)
      const answers = yield* Effect.all(
        Array.from({ length: 4 }, () => createCase(clinic, caseBody(clinic, { user }))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    }
  })

  it("the same idempotency key with the same body answers the same case, also at the same time", function* () {
    const clinic = yield* makeClinic
    for (let round = 0; round < 10; round += 1) {
      const body = caseBody(clinic, { idempotencyKey: `key-${round}` })
      const answers = yield* Effect.all(
        Array.from({ length: 4 }, () => createCase(clinic, body)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200]
      )
      const ids = new Set(answers.map(({ json }) => json.data.caseId))
      assert.strictEqual(ids.size, 1)
      const later = yield* createCase(clinic, body)
      assert.strictEqual(later.json.data.caseId, [...ids][0])
    }
  })

  it("409 IDEMPOTENCY_ERROR: the same key with another body; the key of another organization is another key", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic, { idempotencyKey: "k" }))).status, 200)
    const refused = yield* createCase(clinic, caseBody(clinic, { idempotencyKey: "k" }))
    assert.strictEqual(refused.status, 409)
    assert.deepInclude(refused.json, { success: false, message: "Case conflict", code: "IDEMPOTENCY_ERROR" })
    assert.strictEqual((yield* createCase(other, caseBody(other, { idempotencyKey: "k" }))).status, 200)
  })

  it("409 IDEMPOTENCY_ERROR: the same key and body once the case is archived", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic, { idempotencyKey: "archived" })
    const created = yield* createCase(clinic, body)
    yield* inDatabase(
      "cases",
      (sql) => sql`UPDATE cases.cases SET is_archived = true, is_sole = false WHERE id = ${created.json.data.caseId}`
    )
    const refused = yield* createCase(clinic, body)
    assert.deepStrictEqual([refused.status, refused.json.code], [409, "IDEMPOTENCY_ERROR"])
    // An archived case does not prevent a new one.
    assert.strictEqual((yield* createCase(clinic, { ...body, idempotencyKey: "retry" })).status, 200)
  })

  it("a test case carries the flag", function* () {
    const clinic = yield* makeClinic
    const flagOf = (changes: Readonly<Record<string, unknown>>) =>
      Effect.flatMap(createCase(clinic, caseBody(clinic, changes)), ({ json }) =>
        Effect.map(admin("GET", `/cases/${json.data.caseId}`), (read) => read.json.isTest)
      )
    assert.isTrue(yield* flagOf({ isTest: true }))
    assert.isFalse(yield* flagOf({}))
  })

  it("unknown fields are ignored, and null is the same as absent", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic, { favouriteColour: "blue", payment: null, isTest: null })
    assert.strictEqual((yield* createCase(clinic, body)).status, 200)
  })

  it("what was asked and answered is not readable in the database", function* () {
    const clinic = yield* makeClinic
    const created = yield* createCase(clinic, caseBody(clinic))
    const [row] = yield* inDatabase(
      "cases",
      (sql) => sql<{ content: string }>`
          SELECT content FROM cases.form_responses WHERE case_id = ${created.json.data.caseId}
        `
    )
    assert.match(row?.content ?? "", /^[\w-]{22}:[A-Za-z0-9+/=]+$/)
  })

  it("the header Idempotency-Key means the same as the body's field", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const send = (payload: unknown) =>
      call("POST", "/api/v1/cases", { key: clinic.key, body: payload, headers: { "idempotency-key": "h" } })
    const first = yield* send(body)
    assert.strictEqual((yield* send(body)).json.data.caseId, first.json.data.caseId)
    assert.strictEqual((yield* send(caseBody(clinic))).json.code, "IDEMPOTENCY_ERROR")
  })

  it("422: well-formed but not acceptable, and stores nothing", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const good = caseBody(clinic)
    const withUser = (changes: Readonly<Record<string, unknown>>) => ({ ...good, user: { ...good.user, ...changes } })
    const withAnswer = (question: Readonly<Record<string, unknown>>) => ({
      ...good,
      products: [{ id: clinic.productId, form: { questions: [{ question: "Q", ...question }] } }]
    })
    const answer = "products.0.form.questions.0.answer"
    const cases: ReadonlyArray<readonly [string, unknown]> = [
      ["products.0.id, no such product", { ...good, products: [{ id: other.productId }] }],
      ["products.0.id, no such product", { ...good, products: [{ id: "3b241101-e2bb-4255-8caf-4136c566a962" }] }],
      ["user.dob, must be a date in the form YYYY-MM-DD", withUser({ dob: "1990-02-30" })],
      ["user.dob, must be a date in the form YYYY-MM-DD", withUser({ dob: "yesterday" })],
      ["user.dob, must not be in the future", withUser({ dob: "2990-01-01" })],
      ["user.languagePreferences.1, must be an ISO language code", withUser({ languagePreferences: ["en", "zz"] })],
      [`${answer}, must be one of the options`, withAnswer({ answer: "C", type: "SINGLESELECT", options: ["A"] })],
      [
        `${answer}, must be one of the options`,
        withAnswer({ answer: "A, C", type: "MULTISELECT", options: ["A", "B"] })
      ],
      [`${answer}, Answer is required`, withAnswer({ answer: "", type: "TEXT", required: true })],
      [
        "payment.currency, must be an ISO 4217 currency code",
        { ...good, payment: { amount: 1, currency: "ZZZ", providerReference: { type: "SETUP_INTENT", id: "s" } } }
      ],
      [
        `user.dob, must not be in the future; user.languagePreferences.0, must be an ISO language code; payment.amount, must not be negative; ${answer}, Answer is required`,
        {
          ...withAnswer({ answer: "", type: "TEXT", required: true }),
          user: { ...good.user, dob: "2990-01-01", languagePreferences: ["zz"] },
          payment: { amount: -1, currency: "USD", providerReference: { type: "SETUP_INTENT", id: "s" } }
        }
      ]
    ]
    for (const [error, body] of cases) {
      yield* expectAnswer(createCase(clinic, body), 422, { success: false, message: "Validation failed", error })
    }
    const read = yield* call("GET", `/api/v1/customer-latest-case-id?email=${good.user.email}`, { key: clinic.key })
    assert.strictEqual(read.status, 400)
  })

  it("422: a phone number that belongs to another user, for a new and for a known patient", function* () {
    const clinic = yield* makeClinic
    const first = caseBody(clinic)
    assert.strictEqual((yield* createCase(clinic, first)).status, 200)
    const stolen = { ...newPatient(), phoneNumber: first.user.phoneNumber }
    const refused = yield* createCase(clinic, caseBody(clinic, { user: stolen }))
    assert.deepStrictEqual([refused.status, refused.json.error], [422, "user.phoneNumber, belongs to another user"])
    const found = yield* call("GET", `/api/v1/customer-latest-case-id?email=${stolen.email}`, { key: clinic.key })
    assert.strictEqual(found.status, 400)

    const existing = caseBody(clinic)
    assert.strictEqual((yield* createCase(clinic, existing)).status, 200)
    const user = { ...existing.user, phoneNumber: first.user.phoneNumber }
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic, { user, forceCreate: true }))).status, 422)
  })

  it("fills in later what the record of a known patient lacks", function* () {
    const clinic = yield* makeClinic
    const full = newPatient()
    const { email, firstName, lastName } = full
    yield* createCase(clinic, caseBody(clinic, { status: "ABANDONED", user: { email, firstName, lastName } }))
    const created = yield* createCase(clinic, caseBody(clinic, { user: full }))
    const path = `/api/v1/customer-case-detail?caseId=${created.json.data.caseId}`
    const phoneNumber = Effect.map(
      call("GET", path, { key: clinic.key }),
      ({ json }): string => json.caseDetail.submitter.phoneNumber
    )
    assert.strictEqual(yield* until(phoneNumber, (number) => number !== ""), full.phoneNumber)
  })
})

import { QuestionType } from "@care/domain/cases"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { adminCase, countOf, createDynamicCase as create, failed, notStorable } from "./harness/dynamicCases.ts"
import { type Clinic, dynamicBody, makeClinic, newPatient, weightQuestion as weight } from "./harness/fixtures.ts"
import { confirmedSetupReference, paid, paymentIntent } from "./harness/references.ts"
import { Suite } from "./harness/Suite.ts"
import { askStripe } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

testsOn(Suite.shared, "dynamic cases", (it) => {
  const makeForm = (clinic: Clinic, questions: ReadonlyArray<object>) =>
    Effect.map(
      admin("POST", `/organizations/${clinic.organizationId}/forms`, { title: "Stored", questions }),
      ({ json }): { readonly id: string; readonly questions: ReadonlyArray<{ readonly id: string }> } => json
    )

  it("dynamic-case 200, title-based: a case with the patient, the form and the answers", function* () {
    const clinic = yield* makeClinic
    const questions = [
      weight,
      { question: "Smoker?", type: "BOOLEAN", required: true, answer: "false" },
      { question: "Born?", type: "DATE", required: true, answer: "1988-04-12" },
      { question: "Taken?", type: "DATERANGE", required: false, answer: "January 5, 2024 - indefinite" },
      { question: "Sex?", type: "SINGLESELECT", required: true, options: ["F", "M"], answer: "F" },
      { question: "Conditions?", type: "MULTISELECT", required: true, options: ["A", "B"], answer: '["B"]' },
      { question: "BMI", type: "WIDGET_BMI", required: true, answer: '{"height":"70","weight":185,"bmi":26.5}' },
      { question: "State?", type: "WIDGET_STATE_PICKER", required: true, answer: "california" },
      { question: "Visit?", type: "WIDGET_VISIT_TYPE", required: true, answer: "SYNC_VIDEO" },
      { question: "Read this.", type: "STATEMENT", required: true, answer: "" },
      { question: "Anything else?", type: "TEXT", required: false }
    ]
    const body = dynamicBody({
      formTitle: "Weight intake",
      formDescription: "About you",
      dob: "1988-04-12",
      gender: "fEmale",
      languagePreferences: ["en"],
      shippingAddress: { addressLine1: "500 Howard Street", state: "CA" },
      questions
    })
    const created = yield* create(clinic, body)
    assert.strictEqual(created.status, 200)
    assert.deepStrictEqual(Object.keys(created.json), ["success", "data"])
    assert.match(created.json.data.caseId, uuid)
    const detail = yield* adminCase(created.json.data.caseId)
    assert.deepInclude(detail, { title: "Weight intake", status: "OPEN", type: "ASYNC_TEXT_EMAIL", products: [] })
    assert.strictEqual(detail.submitter.email, body.email)
    const [response] = detail.formResponses
    assert.deepInclude(response, {
      id: created.json.data.formResponseId,
      title: "Weight intake",
      description: "About you"
    })
    assert.deepStrictEqual(
      response.questions.map(({ answer }: { answer: string }) => answer),
      questions.map(({ answer = "" }) => answer)
    )
  })

  it("dynamic-case: a form title is used again, also by cases that come at the same time", function* () {
    const clinic = yield* makeClinic
    const answers = yield* Effect.all(
      Array.from({ length: 10 }, () => create(clinic, dynamicBody())),
      { concurrency: "unbounded" }
    )
    assert.isTrue(answers.every(({ status }) => status === 200))
    const [counts] = yield* countOf(clinic)
    assert.deepStrictEqual(counts, { cases: 10, forms: 1, patients: 10 })
    const first = yield* adminCase(answers[0]?.json.data.caseId)
    const newest = yield* adminCase((yield* create(clinic, dynamicBody())).json.data.caseId)
    assert.strictEqual(newest.formResponses[0].formId, first.formResponses[0].formId)
    // The same title in another organization makes another form.
    const other = yield* makeClinic
    const foreign = yield* adminCase((yield* create(other, dynamicBody())).json.data.caseId)
    assert.notStrictEqual(foreign.formResponses[0].formId, first.formResponses[0].formId)
  })

  it("dynamic-case 200, id-based: answers to a stored form; a title wins over the id", function* () {
    const clinic = yield* makeClinic
    const form = yield* makeForm(clinic, [
      { question: "Your weight?", type: "TEXT", required: true, phi: true },
      { question: "BMI", type: "WIDGET_BMI", required: true },
      { question: "Taken?", type: "DATERANGE", required: false },
      { question: "Conditions?", type: "MULTISELECT", required: false, options: ["A", "B"] }
    ])
    const [first, second, third] = form.questions
    const bmi = { height: "70", weight: 185, bmi: 26.5 }
    const created = yield* create(
      clinic,
      dynamicBody({
        formTitle: undefined,
        formId: form.id.toUpperCase(),
        questions: [
          { questionId: second?.id, answer: { ...bmi, extra: "left out" } },
          { questionId: first?.id.toUpperCase(), answer: "185" },
          { questionId: third?.id, answer: { startDate: "2024-01-05", endDate: null } }
        ]
      })
    )
    assert.strictEqual(created.status, 200)
    const [response] = (yield* adminCase(created.json.data.caseId)).formResponses
    assert.strictEqual(response.formId, form.id)
    assert.deepStrictEqual(
      response.questions.map(({ answer, questionId }: { answer: string; questionId: string }) => [questionId, answer]),
      [
        [first?.id, "185"],
        [second?.id, JSON.stringify(bmi)],
        [third?.id, '{"startDate":"2024-01-05","endDate":null}']
      ]
    )
    const both = yield* create(clinic, dynamicBody({ formId: form.id, formTitle: "By title" }))
    assert.strictEqual((yield* adminCase(both.json.data.caseId)).title, "By title")
  })

  it("dynamic-case 200: fields that another field overrides are not checked", function* () {
    const clinic = yield* makeClinic
    const form = yield* makeForm(clinic, [{ question: "Your weight?", type: "TEXT", required: true }])
    const questionId = form.questions[0]?.id
    const badFields = { question: 7, type: "X", required: "yes", options: {}, phi: 1, hint: [], placeholder: 0 }
    for (const losing of [
      ...[7, "nope", {}, [], "\u0000"].map((formId) => ({ formId, formTitle: "By title" })),
      ...[7, "nope", {}, questionId].map((id) => ({
        questions: [weight, weight].map((question) => ({ ...question, questionId: id }))
      })),
      { formTitle: null, formId: form.id, questions: [{ questionId, answer: "185", ...badFields }] }
    ]) {
      const body = dynamicBody(losing)
      const { json, status } = yield* call("POST", "/api/v1/dynamic-case", {
        key: clinic.key,
        body,
        hasUnreadFields: true
      })
      assert.strictEqual(status, 200, JSON.stringify([losing, json]))
      const [response] = (yield* adminCase(json.data.caseId)).formResponses
      assert.strictEqual(
        response.questions[0].questionId,
        "questions" in losing && "formId" in losing ? questionId : null
      )
    }
  })

  it("dynamic-case 400: every field, with its reason; and nothing is stored", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const foreign = yield* makeForm(other, [{ question: "Your weight?", type: "TEXT", required: true }])
    const form = yield* makeForm(clinic, [{ question: "Your weight?", type: "TEXT", required: true }])
    const [question] = form.questions
    const byId = (formId: string, questions: ReadonlyArray<object>) => ({ formTitle: undefined, formId, questions })
    const select = { ...weight, type: "SINGLESELECT", answer: "185" }
    const none = '"How much do you weigh?" (questionId: none)'
    const id = `(questionId: ${question?.id})`
    const types = QuestionType.literals.join(", ")
    const wrong: ReadonlyArray<readonly [object, string]> = [
      [{ firstName: undefined }, "Validation failed: firstName: Required"],
      [{ lastName: " " }, "Validation failed: lastName: must not be empty"],
      [{ email: "x" }, "Validation failed: email: must be a valid email"],
      [{ dob: "1988-02-30" }, "Validation failed: dob: must be a date in the form YYYY-MM-DD"],
      [{ dob: "2999-01-01" }, "Validation failed: dob: must not be in the future"],
      [{ gender: "OTHER" }, "Validation failed: gender: must be one of MALE, FEMALE"],
      [{ phoneNumber: "5" }, "Validation failed: phoneNumber: must be a valid phone number in E.164 format"],
      [{ password: "" }, "Validation failed: password: must not be empty"],
      [{ languagePreferences: ["xx"] }, "Validation failed: languagePreferences.0: must be an ISO language code"],
      [
        { firstName: undefined, email: "x", questions: [{ ...weight, type: "X" }, { hint: 5 }] },
        `Validation failed: firstName: Required; email: must be a valid email; questions.0.type: must be one of ${types}; questions.1.hint: must be a text`
      ],
      ...["a\u0000", ["\ud800"], { "\u0000": 1 }, [{ deep: ["a\u0000b"] }]].map((answer): [object, string] => [
        { questions: [{ ...weight, answer }] },
        `Validation failed: questions.0.answer: ${notStorable}`
      ]),
      [{ questions: undefined }, "Validation failed: questions: Required"],
      [{ questions: [] }, "Validation failed: questions: At least one question is required"],
      [
        { questions: Array.from({ length: 5000 }, () => weight) },
        "Validation failed: questions: At most 500 questions are possible"
      ],
      [{ formTitle: undefined }, "Validation failed: formTitle: formTitle or formId is required"],
      [{ questions: [{ ...weight, type: undefined }] }, "Validation failed: questions.0.type: Required"],
      [{ questions: [{ ...weight, question: undefined }] }, "Validation failed: questions.0.question: Required"],
      [{ questions: [{ ...weight, required: undefined }] }, "Validation failed: questions.0.required: Required"],
      [{ questions: [select] }, "Validation failed: questions.0.options: Required"],
      [{ questions: [{ ...select, options: ["1", 2] }] }, "Validation failed: questions.0.options.1: must be a text"],
      [{ questions: [{ ...select, options: ["1"] }] }, `Question ${none}: must be one of the options`],
      [{ questions: [{ ...weight, answer: "" }] }, `Question ${none}: Answer is required`],
      [
        { questions: [{ ...weight, answer: "x".repeat(5_000_000) }] },
        `Question ${none}: must be at most 20000 characters long`
      ],
      [
        { questions: [weight, { ...weight, type: "MULTISELECT", options: ["A"], answer: '["A"' }] },
        `Question ${none}: must be a JSON array, as a text, of texts from the options`
      ],
      [
        { questions: [{ ...weight, question: "Goal weight?" }] },
        "Validation failed: questions: at least one question about the patient's weight is required"
      ],
      [byId("nope", [{ questionId: question?.id }]), "Validation failed: formId: must be a valid UUID"],
      [byId(foreign.id, [{ questionId: foreign.questions[0]?.id }]), "Validation failed: formId: no such form"],
      [byId(form.id, [{ answer: "1" }]), "Validation failed: questions.0.questionId: Required"],
      [
        byId(form.id, [{ questionId: foreign.questions[0]?.id, answer: "1" }]),
        "Validation failed: questions.0.questionId: is no question of the form"
      ],
      [
        byId(form.id, [
          { questionId: question?.id, answer: "1" },
          { questionId: question?.id.toUpperCase(), answer: "2" }
        ]),
        "Validation failed: questions.1.questionId: is there twice"
      ],
      [byId(form.id, [{ questionId: question?.id, answer: " " }]), `Question "Your weight?" ${id}: Answer is required`],
      [byId(form.id, [{ questionId: question?.id, answer: 185 }]), `Question "Your weight?" ${id}: must be a text`]
    ]
    for (const [change, error] of wrong) {
      yield* expectAnswer(create(clinic, dynamicBody({ ...change })), 400, failed(error))
    }
    yield* expectAnswer(
      call("POST", "/api/v1/dynamic-case", { key: clinic.key, raw: "{" }),
      400,
      failed("Validation failed: body: must be JSON")
    )
    const [counts] = yield* countOf(clinic)
    assert.deepStrictEqual(counts, { cases: 0, forms: 1, patients: 0 })
  })

  it("dynamic-case 400: a phone number that belongs to another user, and nothing is stored", function* () {
    const clinic = yield* makeClinic
    const { phoneNumber } = dynamicBody()
    yield* create(clinic, dynamicBody({ phoneNumber }))
    yield* expectAnswer(
      create(clinic, dynamicBody({ phoneNumber, formTitle: "Another" })),
      400,
      failed("Validation failed: phoneNumber: belongs to another user")
    )
    const [counts] = yield* countOf(clinic)
    assert.deepStrictEqual(counts, { cases: 1, forms: 1, patients: 1 })
  })

  it("dynamic-case: a known patient gets another case, a new name updates their record, and their login stays", function* () {
    const clinic = yield* makeClinic
    const body = dynamicBody({ password: "correct horse" })
    yield* create(clinic, body)
    yield* jobsDone("cases", "patient-completion", clinic)
    const login = inDatabase(
      "auth",
      (sql) => sql<{ password_hash: string }>`
          SELECT password_hash FROM auth.credentials WHERE login_email = ${body.email}
        `
    )
    const [first] = yield* login
    assert.match(first?.password_hash ?? "", /^\$argon2id\$/)
    const repeated = yield* create(clinic, { ...body, firstName: "Other", password: "another one" })
    assert.strictEqual(repeated.status, 200)
    yield* jobsDone("cases", "patient-completion", clinic)
    assert.deepStrictEqual((yield* login)[0], first)
    assert.strictEqual((yield* adminCase(repeated.json.data.caseId)).submitter.firstName, "Other")
    const stored = yield* inDatabase(
      "cases",
      (sql) => sql`
        SELECT state, payload FROM cases.jobs
        WHERE queue_name = 'patient-completion' AND organization_id = ${clinic.organizationId}
      `
    )
    assert.isAtLeast(stored.length, 2)
    for (const job of stored) assert.deepStrictEqual(job, { state: "completed", payload: null })
  })

  it("dynamic-case: health information is not readable in the database", function* () {
    const clinic = yield* makeClinic
    const secret = "a very private weight"
    const created = yield* create(clinic, dynamicBody({ questions: [{ ...weight, answer: secret }] }))
    assert.strictEqual((yield* adminCase(created.json.data.caseId)).formResponses[0].questions[0].answer, secret)
    const [row] = yield* inDatabase(
      "cases",
      (sql) => sql<{ content: string }>`
          SELECT content FROM cases.form_responses WHERE case_id = ${created.json.data.caseId}
        `
    )
    assert.match(row?.content ?? "", /^[\w-]{22}:[A-Za-z0-9+/=]+$/)
  })

  it("dynamic-case: the payment of the case is recorded once with the gateway's reference; a payment intent wins over a setup intent", function* () {
    const clinic = yield* makeClinic
    const recorded = Effect.fnUntraced(function* (changes: object) {
      const created = yield* create(clinic, dynamicBody({ ...changes }))
      assert.strictEqual(created.status, 200)
      yield* jobsDone("cases", "payment-recording", clinic)
      return yield* inDatabase(
        "payments",
        (sql) => sql`
            SELECT status, provider_reference_type AS type, provider_reference_id AS id, (
              SELECT count(*)::int FROM payments.saved_methods m
              WHERE m.organization_id = p.organization_id AND m.user_id = p.user_id
            ) AS methods
            FROM payments.payments p WHERE case_id = ${created.json.data.caseId}
          `
      )
    })
    const [setup, intent] = [yield* confirmedSetupReference, yield* paymentIntent(paid)]
    assert.deepStrictEqual(yield* recorded({}), [])
    assert.deepStrictEqual(yield* recorded({ gatewaySetupId: setup.id }), [{ status: "UNPAID", ...setup, methods: 1 }])
    assert.deepStrictEqual(yield* recorded({ gatewaySetupId: setup.id, gatewayPaymentId: intent.id }), [
      { status: "PAID", ...intent, methods: 1 }
    ])
  })

  it("dynamic-case 400: a reference that the gateway does not have or that does not match, and nothing is stored", function* () {
    const clinic = yield* makeClinic
    const [setup, intent] = [yield* confirmedSetupReference, yield* paymentIntent()]
    const open = yield* askStripe((client) => client.setupIntents.create())
    const email = newPatient().email
    for (const [references, error] of [
      [{ gatewaySetupId: "seti_unknown" }, "gatewaySetupId: no such setup intent"],
      [{ gatewaySetupId: intent.id }, "gatewaySetupId: no such setup intent"],
      [{ gatewaySetupId: open.id }, "gatewaySetupId: the setup intent is not confirmed"],
      [{ gatewayPaymentId: setup.id }, "gatewayPaymentId: no such payment intent"],
      [{ gatewaySetupId: setup.id, gatewayPaymentId: "pi_unknown" }, "gatewayPaymentId: no such payment intent"],
      [{ gatewaySetupId: "seti_unknown", gatewayPaymentId: intent.id }, "gatewaySetupId: no such setup intent"]
    ] as const) {
      yield* expectAnswer(create(clinic, dynamicBody({ email, ...references })), 400, {
        success: false,
        error: `Validation failed: ${error}`
      })
    }
    const payments = yield* inDatabase(
      "payments",
      (sql) => sql`SELECT id FROM payments.payments WHERE organization_id = ${clinic.organizationId}`
    )
    const users = yield* inDatabase(
      "auth",
      (sql) => sql`SELECT id FROM auth.users WHERE organization_id = ${clinic.organizationId}`
    )
    assert.deepStrictEqual([payments, users], [[], []])
    assert.strictEqual((yield* create(clinic, dynamicBody({ email, gatewayPaymentId: intent.id }))).status, 200)
  })

  it("dynamic-case: 20 callers with one Idempotency-Key make one case; another body is a 409", function* () {
    const clinic = yield* makeClinic
    const body = dynamicBody()
    const key = { "idempotency-key": "one" }
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => create(clinic, body, key)),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(new Set(answers.map(({ json }) => json.data.caseId)).size, 1)
    const conflict = yield* create(clinic, { ...body, firstName: "Other" }, key)
    assert.deepStrictEqual([conflict.status, conflict.json.code], [409, "IDEMPOTENCY_ERROR"])
    const [counts] = yield* countOf(clinic)
    assert.deepStrictEqual(counts, { cases: 1, forms: 1, patients: 1 })
  })
})

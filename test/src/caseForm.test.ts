import { createHash } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { adminCase, failed, notStorable, submitCaseForm as submit } from "./harness/dynamicCases.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const hashOf = (key: string) => createHash("sha3-512").update(key).digest("hex").slice(0, 12)

testsOn(Suite.shared, "forms of a case", (it) => {
  const question = { questionId: "q-1", question: "How are you?", type: "TEXT", answer: "Well" }

  it("customer-dynamic-case-form 200: adds a form to a case, with the key in the header or the body", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const body = {
      caseId: caseId.toUpperCase(),
      formTitle: "Check-in",
      formDescription: "Week 4",
      questions: [
        { ...question, phi: true },
        { ...question, questionId: "q-2", type: "SINGLESELECT", options: ["Yes"], answer: ["Yes"] }
      ]
    }
    const byHeader = yield* submit(clinic, { ...body, key: "cv_wrong" })
    for (const key of [7, {}, "x".repeat(5000)]) {
      const options = { key: clinic.key, body: { ...body, key }, hasUnreadFields: true }
      assert.strictEqual((yield* call("POST", "/api/v1/customer-dynamic-case-form", options)).status, 200)
    }
    assert.deepStrictEqual([byHeader.status, byHeader.json.success, byHeader.json.data.caseId], [200, true, caseId])
    const byBody = yield* call("POST", "/api/v1/customer-dynamic-case-form", { body: { ...body, key: clinic.key } })
    assert.strictEqual(byBody.status, 200)
    const statement = { ...question, questionId: "q-3", type: "STATEMENT", answer: "", required: true }
    const file = { name: "a.txt", data: "aGVsbG8=", contentType: null }
    const questions = [question, statement, { ...question, questionId: "q-4", type: "FILE", answer: [file] }]
    assert.strictEqual((yield* submit(clinic, { ...body, questions })).status, 200)
    const responses = (yield* adminCase(caseId)).formResponses
    const added = responses.find(({ id }: { id: string }) => id === byHeader.json.data.formResponseId)
    assert.deepInclude(added, { title: "Check-in", description: "Week 4", productId: null })
    assert.deepStrictEqual(
      added.questions.map(({ answer, questionId }: { answer: string; questionId: string }) => [questionId, answer]),
      [
        ["q-1", "Well"],
        ["q-2", '["Yes"]']
      ]
    )
    assert.isTrue(responses.some(({ id }: { id: string }) => id === byBody.json.data.formResponseId))
  })

  it("an Idempotency-Key takes effect once, with the organization's key in the header or the body", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const body = { caseId, formTitle: "Check-in", questions: [question] }
    const path = "/api/v1/customer-dynamic-case-form"
    const headers = { "idempotency-key": "check-in" }
    const first = yield* call("POST", path, { key: clinic.key, headers, body })
    const repeated = yield* call("POST", path, { headers, body: { ...body, key: clinic.key } })
    assert.deepStrictEqual([first.status, repeated.status, repeated.json], [200, 200, first.json])
    const other = { ...body, formTitle: "Another", key: clinic.key }
    assert.strictEqual((yield* call("POST", path, { headers, body: other })).status, 409)
    assert.strictEqual((yield* adminCase(caseId)).formResponses.length, 2, "that of the creation, too")
  })

  it("customer-dynamic-case-form 400: every message", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const foreign: string = (yield* createCase(other, caseBody(other))).json.data.caseId
    const body = { caseId, formTitle: "Check-in", questions: [question] }
    const refused = Effect.fnUntraced(function* (changes: object, error: string) {
      yield* expectAnswer(submit(clinic, { ...body, ...changes }), 400, failed(error))
    })
    yield* refused({ caseId: undefined }, "The 'caseId' param is required")
    yield* refused({ caseId: "" }, "The 'caseId' param is required")
    yield* refused({ formTitle: undefined }, "The 'formTitle' param is required")
    yield* refused({ questions: undefined }, "The 'questions' param is required")
    yield* refused({ questions: [] }, "The 'questions' param is required")
    for (const field of ["questionId", "question", "type", "answer"]) {
      const questions = [question, { ...question, [field]: undefined }]
      yield* refused({ questions }, `The 'questions[1].${field}' field is required`)
    }
    yield* refused(
      { questions: [question, { ...question, questionId: "q-2", required: true, answer: " " }] },
      "The 'questions[1].answer' field is required"
    )
    yield* refused(
      { questions: [question, question] },
      "The 'questions[1].questionId' field is not valid: is there twice"
    )
    const many = Array.from({ length: 5000 }, (_, index) => ({ ...question, questionId: `q-${index}` }))
    yield* refused({ questions: many }, "The 'questions' param is not valid: At most 500 questions are possible")
    yield* refused(
      { questions: [{ ...question, options: [7] }] },
      "The 'questions[0].options.0' field is not valid: must be a text"
    )
    yield* refused(
      { questions: [{ ...question, answer: "x".repeat(5_000_000) }] },
      "The 'questions[0].answer' field is not valid: must be at most 20000 characters long"
    )
    for (const answer of ["a\u0000", ["\ud800"], { "\u0000": 1 }, [{ deep: ["a\u0000b"] }]]) {
      yield* refused(
        { questions: [{ ...question, answer }] },
        `The 'questions[0].answer' field is not valid: ${notStorable}`
      )
    }
    yield* refused({ caseId: undefined, formTitle: 5, questions: [{}] }, "The 'caseId' param is required")
    yield* refused({ questions: [{ ...question, answer: "" }] }, "Case Form can't be Submitted.")
    for (const id of ["not-a-case", "00000000-0000-4000-8000-000000000000", foreign]) {
      yield* refused({ caseId: id }, "Provided case is not valid")
    }
    assert.strictEqual((yield* adminCase(caseId)).formResponses.length, 1)
    assert.strictEqual((yield* adminCase(foreign)).formResponses.length, 1)
  })

  it("customer-dynamic-case-form 400: the key missing, blank, wrong, of a disabled organization", function* () {
    const clinic = yield* makeClinic
    const path = "/api/v1/customer-dynamic-case-form"
    const keyless = Effect.fnUntraced(function* (options: Parameters<typeof call>[2], error: string) {
      yield* expectAnswer(call("POST", path, options), 400, failed(error))
    })
    yield* keyless({ body: { caseId: "x" } }, "The 'key' param is required")
    yield* keyless({ raw: "{" }, "The 'key' param is required")
    yield* keyless({ body: { key: " " } }, "Secret key not provided!")
    yield* keyless({ key: " ", body: { key: clinic.key } }, "Secret key not provided!")
    const unknown = `Organization not found for key hash ${hashOf("cv_wrong")}`
    yield* keyless({ key: "cv_wrong", body: { key: clinic.key } }, unknown)
    yield* keyless({ body: { key: "cv_wrong" } }, unknown)
    yield* admin("PATCH", `/organizations/${clinic.organizationId}`, { isDisabled: true })
    yield* keyless({ body: { key: clinic.key } }, "Partner organization is disabled")
  })
})

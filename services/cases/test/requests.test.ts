import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { caseWithFiles, textFile } from "./caseWithFiles.ts"
import { Cases, layerCases } from "./runCases.ts"

const weight = { question: "How much do you weigh?", type: "TEXT", required: true, answer: "185" }
const dynamicCase = (question: object) => ({
  firstName: "Maria",
  lastName: "Lopez",
  email: "maria@example.com",
  formTitle: "Intake",
  questions: [weight, { question: "What?", type: "TEXT", required: true, ...question }]
})

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
const filesExpected =
  "must be an array of at most 10 objects with name and data (base64 or a URL), and contentType if known"

layer(layerCases, { excludeTestServices: true, timeout: "60 seconds" })("bodies of cases", (it) => {
  const create = (body: unknown, headers?: Readonly<Record<string, string>>) =>
    Effect.map(
      Effect.flatMap(Cases, ({ call }) => call("POST", "/api/v1/dynamic-case", body, headers)),
      ({ status, text }) => ({ status, ...JSON.parse(text) })
    )
  const submit = (body: unknown, headers?: Readonly<Record<string, string>>) =>
    Effect.map(
      Effect.flatMap(Cases, ({ call }) => call("POST", "/api/v1/customer-dynamic-case-form", body, headers)),
      ({ status, text }) => ({ status, ...JSON.parse(text) })
    )
  const refused = (error: string) => ({ status: 400, success: false, error })

  it.effect("JSON that is nested too deep is refused, with an Idempotency-Key and without", () =>
    Effect.gen(function* () {
      const caseId = yield* caseWithFiles([[textFile(10)]])
      const deep = "must be nested at most 32 deep"
      for (const depth of [30, 3000, 5000]) {
        for (const headers of [{}, { "idempotency-key": `deep-${depth}` }]) {
          const body = JSON.stringify(dynamicCase({ answer: "DEEP" })).replace('"DEEP"', nested(depth))
          assert.deepStrictEqual(yield* create(body, headers), refused(`Validation failed: body: ${deep}`))
          const question = { ...weight, questionId: "q-1", answer: "DEEP" }
          const form = JSON.stringify({ caseId, formTitle: "More", questions: [question] })
          assert.deepStrictEqual(
            yield* submit(form.replace('"DEEP"', nested(depth)), headers),
            refused(`The 'body' param is not valid: ${deep}`)
          )
        }
      }
      assert.strictEqual((yield* create(dynamicCase({ answer: "not deep" }))).status, 200)
    })
  )

  it.effect("text that cannot be stored is refused in an answer, at any depth and as a key", () =>
    Effect.gen(function* () {
      const caseId = yield* caseWithFiles([[textFile(10)]])
      for (const text of ["a\u0000b", "\ud800", "\udc00\ud800"]) {
        for (const answer of [text, [text], { in: [{ deep: text }] }, { [text]: "a" }]) {
          const created = yield* create(dynamicCase({ answer }))
          assert.deepStrictEqual([created.status, created.success], [400, false])
          assert.include(created.error, "questions.1.answer")
          const question = { ...weight, questionId: "q-1", type: "OTHER", answer }
          const submitted = yield* submit({ caseId, formTitle: "More", questions: [question] })
          assert.deepStrictEqual([submitted.status, submitted.success], [400, false])
          assert.include(submitted.error, "questions[0].answer")
        }
      }
    })
  )

  it.effect("an unacceptable file is refused with its own reason", () =>
    Effect.gen(function* () {
      const acceptable = { name: "a.txt", data: "QUFB", contentType: "text/plain" }
      for (const [changes, reason] of [
        [{ name: null }, filesExpected],
        [{ data: "" }, filesExpected],
        [{ data: "no base64!" }, filesExpected],
        [{ data: "file:///etc/passwd" }, filesExpected],
        [{ data: `https://a.example/${"a".repeat(8000)}` }, filesExpected],
        [{ name: "a".repeat(2001) }, "answer.0.name, must be at most 2000 characters long"],
        [{ contentType: "a".repeat(201) }, "answer.0.contentType, must be at most 200 characters long"],
        [{ contentType: "image/png" }, "answer.0.data, the content is not of the declared type"]
      ] as const) {
        assert.deepStrictEqual(
          yield* create(dynamicCase({ type: "FILE", answer: [{ ...acceptable, ...changes }] })),
          refused(`Question "What?" (questionId: none): ${reason}`)
        )
      }
      const { contentType: _, ...untyped } = acceptable
      const answer = [acceptable, untyped, { ...acceptable, contentType: null }]
      assert.strictEqual((yield* create(dynamicCase({ type: "FILE", answer }))).status, 200)
    })
  )

  it.effect("a body whose content type is not JSON is refused in the form of each endpoint", () =>
    Effect.gen(function* () {
      const body = JSON.stringify(dynamicCase({ answer: "text" }))
      const expected = "must be application/json, in UTF-8"
      for (const type of ["application/json, text/plain", "garbage", "multipart/form-data; boundary=x"]) {
        const headers = { "content-type": type }
        assert.deepStrictEqual(yield* create(body, headers), refused(`Validation failed: body: ${expected}`))
        assert.deepStrictEqual(yield* submit(body, headers), refused(`The 'body' param is not valid: ${expected}`))
      }
      for (const type of ["application/json; charset=utf-8", "text/plain;charset=UTF-8", "application/problem+json"]) {
        assert.strictEqual((yield* create(body, { "content-type": type })).status, 200)
      }
    })
  )

  it.effect("names of JavaScript's own properties are ordinary keys", () =>
    Effect.gen(function* () {
      const answer = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
      const body = JSON.stringify(dynamicCase({ type: "WIDGET_BMI", answer: "BMI" })).replace('"BMI"', answer)
      assert.strictEqual((yield* create(body)).status, 400)
      assert.notProperty({}, "polluted")
    })
  )

  it.effect("a form has at most 1 MiB, whatever it consists of", () =>
    Effect.gen(function* () {
      const caseId = yield* caseWithFiles([[textFile(10)]])
      const reason = "must have at most 1 MiB together, without the contents of files"
      const long = { question: "What?", type: "TEXT", required: true, answer: "x".repeat(20_000) }
      const questions = (count: number) => Array.from({ length: count }, (_, id) => ({ ...long, questionId: `${id}` }))
      const forms = (count: number) => submit({ caseId, formTitle: "More", questions: questions(count) })
      assert.strictEqual((yield* forms(50)).status, 200)
      assert.deepStrictEqual(yield* forms(60), refused(`The 'questions' param is not valid: ${reason}`))
      const body = dynamicCase({ answer: "text" })
      const longQuestions = Array.from({ length: 60 }, () => long)
      assert.deepStrictEqual(
        yield* create({ ...body, questions: [weight, ...longQuestions] }),
        refused(`Validation failed: questions: ${reason}`)
      )
    })
  )
})

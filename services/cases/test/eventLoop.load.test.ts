import { request } from "node:http"
import { maxListed } from "@care/domain/cases"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { caseWithFiles, detailPath, textFile } from "./caseWithFiles.ts"
import { heavyBodies, heavyChoices } from "./heavyBodies.ts"
import { longestTurn } from "./longestTurn.ts"
import { addToLists } from "./longLists.ts"
import { Cases, layerCases } from "./runCases.ts"

const maxMillis = 250

const decodeRefusal = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ success: Schema.Boolean, error: Schema.optional(Schema.String) }))
)

layer(layerCases, { excludeTestServices: true, timeout: "60 seconds" })("a request does not delay others", (it) => {
  // With Node's own client, because the work of others in this process would be measured, too.
  const send = Effect.fnUntraced(function* (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer
  ) {
    const { url } = yield* Cases
    return yield* Effect.callback<{ readonly status: number; readonly text: string }>((resume) => {
      const outgoing = request(`${url}${path}`, { method, headers }, (answer) => {
        const chunks: Array<Buffer> = []
        answer.on("data", (chunk) => chunks.push(chunk))
        answer.on("end", () => {
          resume(Effect.succeed({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
        })
      })
      outgoing.end(body)
    })
  })

  for (const [name, makeBody] of Object.entries(heavyBodies)) {
    it.effect(`a body of ${name} is answered, and delays no other request`, () =>
      Effect.gen(function* () {
        const body = Buffer.from(makeBody())
        const identityHeaders = yield* (yield* Cases).headers()
        for (const key of [{}, { "idempotency-key": name }]) {
          const headers = { ...identityHeaders, ...key, "content-type": "application/json" }
          const { millis, result } = yield* longestTurn(send("POST", "/api/v1/dynamic-case", headers, body))
          assert.include([200, 400], result.status, result.text)
          assert.strictEqual(decodeRefusal(result.text).success, result.status === 200)
          assert.isBelow(millis, maxMillis)
        }
      })
    )
  }

  for (const [name, makeBody] of Object.entries(heavyChoices)) {
    it.effect(`choices of a new case (${name}) are read, and delay no other request`, () =>
      Effect.gen(function* () {
        const body = Buffer.from(makeBody())
        assert.isBelow(body.length, 2 ** 20)
        const headers = { ...(yield* (yield* Cases).headers()), "content-type": "application/json" }
        const { millis, result } = yield* longestTurn(send("POST", "/api/v1/cases", headers, body))
        assert.strictEqual(result.status, 422, result.text)
        assert.include(result.text, "products.0.form.questions.0.answer")
        assert.isBelow(millis, maxMillis)
      })
    )
  }

  it.effect("the forms of a case are bounded, and reading all of them delays no other request", () =>
    Effect.gen(function* () {
      const { call, headers } = yield* Cases
      const caseId = yield* caseWithFiles([[textFile(10)]])
      const question = { question: "What?", type: "TEXT", required: true, answer: "x".repeat(20_000), phi: true }
      const questions = Array.from({ length: 50 }, (_, index) => ({ ...question, questionId: String(index) }))
      const submit = call("POST", "/api/v1/customer-dynamic-case-form", { caseId, formTitle: "More", questions })
      const last = yield* Effect.repeat(submit, { while: ({ status }) => status === 200, times: 20 })
      assert.strictEqual(
        decodeRefusal(last.text).error,
        "The 'questions' param is not valid: must leave the case with at most 8 MiB of forms"
      )
      const { millis, result } = yield* longestTurn(
        send("GET", `/admin/v1/cases/${caseId}`, yield* headers("operator"), Buffer.of())
      )
      assert.strictEqual(result.status, 200)
      assert.isAbove(result.text.length, 5_000_000)
      assert.isBelow(millis, maxMillis)
    })
  )

  it.effect("reading cases with full lists delays no other request, also several in parallel", () =>
    Effect.gen(function* () {
      const { headers, settings } = yield* Cases
      const caseIds = yield* Effect.forEach([1, 2], () => caseWithFiles([[textFile(10)]]))
      for (const caseId of caseIds) yield* addToLists(settings, caseId, maxListed, "2030-01-01T00:00:00.000Z", true)
      const [asPartner, asOperator] = [yield* headers(), yield* headers("operator")]
      const detail = (caseId: string) =>
        send("GET", `${detailPath(caseId, "url")}&includeOrders=true`, asPartner, Buffer.of())
      const [first = assert.fail()] = caseIds
      for (const { limit = maxMillis, read } of [
        { read: detail(first) },
        { read: send("GET", `/admin/v1/cases/${first}`, asOperator, Buffer.of()) },
        // Eight of three megabytes each: one batch reads them, and each is answered by itself.
        {
          limit: 2 * maxMillis,
          read: Effect.map(
            Effect.all(Array.from({ length: 4 }, () => caseIds.map(detail)).flat(), { concurrency: "unbounded" }),
            (all) => all.at(-1) ?? assert.fail()
          )
        }
      ]) {
        const { millis, result } = yield* longestTurn(read)
        assert.strictEqual(result.status, 200)
        assert.isAbove(result.text.length, 3_000_000)
        assert.isBelow(millis, limit)
      }
    })
  )
})

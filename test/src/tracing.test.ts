import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { collector, spansOf } from "./harness/collector.ts"
import { jobsDone } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { newPayment } from "./harness/references.ts"
import { Suite } from "./harness/Suite.ts"

/** Runs an effect with a suite, and stops the suite, so that all its spans are exported. */
const traced = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E, Suite>) {
  const traces = yield* collector
  const result = yield* Effect.provide(work, Suite.layerWith({ OTEL_EXPORTER_OTLP_ENDPOINT: traces.url }))
  return { result, traces }
})

const traceIds = {
  first: "4bf92f3577b34da6a3ce929d0e0e4730",
  small: "4bf92f3577b34da6a3ce929d0e0e4731",
  large: "4bf92f3577b34da6a3ce929d0e0e4732",
  contents: "4bf92f3577b34da6a3ce929d0e0e4733",
  plain: "4bf92f3577b34da6a3ce929d0e0e4735",
  paying: "4bf92f3577b34da6a3ce929d0e0e4734"
}

const callOfCases = "care-cases GET"
const isStatement = (span: string) => span === "care-cases postgresql"

it.live(
  "a read of a case is one statement and no call, and with everything the same number of each, however much the case has but for contents of files",
  () =>
    Effect.gen(function* () {
      const { result, traces } = yield* traced(
        Effect.gen(function* () {
          const clinic = yield* makeClinic
          const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
          const path = `/api/v1/customer-case-detail?caseId=${caseId}`
          const everything = "&includeAttachments=true&includeCalendarEvents=true&includeOrders=true"
          const read = (traceId: string, flags = everything) =>
            Effect.map(
              call("GET", `${path}${flags}`, {
                key: clinic.key,
                headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
              }),
              ({ json }) => json.caseDetail
            )

          const patient = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
          const content = Buffer.from("%PDF-1.7 a file").toString("base64")
          const grow = admin("POST", `/cases/${caseId}/comments`, {
            authorUserId: patient,
            text: "Hello",
            isRestricted: false,
            attachments: [{ fileName: "a.pdf", content }]
          })
          const attach = (fileName: string, content: string) =>
            admin("POST", `/cases/${caseId}/attachments`, { uploadedByUserId: patient, fileName, content })
          yield* Effect.all([grow, attach("a.pdf", content)])
          yield* read(traceIds.first)
          const small = yield* read(traceIds.small)
          yield* Effect.all(Array.from({ length: 40 }, () => Effect.all([grow, attach("a.pdf", content)])))
          const large = yield* read(traceIds.large)
          yield* read(traceIds.plain, "")
          yield* attach("a.txt", Buffer.alloc(1024 * 1024, "a").toString("base64"))
          yield* read(traceIds.contents)
          return { small, large }
        })
      )
      assert.deepStrictEqual(
        [result.small.comments.length, result.large.comments.length, result.large.attachments.length],
        [1, 41, 41]
      )

      // The spans of the work for one read. Whether the gateway had to ask auth for the key again does not matter here.
      const spansIn = (traceId: string) =>
        spansOf(traces, traceId)
          .filter(({ service }) => service !== "care-gateway" && service !== "care-auth")
          .map(({ name, service }) => `${service} ${name}`)
          .sort()
      const spans = spansIn(traceIds.small)
      assert.includeMembers(spans, ["care-cases GET request", callOfCases, "care-scheduling GET request"])
      assert.deepStrictEqual(spansIn(traceIds.large), spans)
      assert.strictEqual(spans.filter(isStatement).length, 3, spans.join("\n"))

      const plain = spansIn(traceIds.plain)
      assert.deepStrictEqual(plain.filter(isStatement), ["care-cases postgresql"])
      assert.notIncludeMembers(plain, [callOfCases])

      // More than 256 KiB of contents: their pieces are counted, and read 256 KiB at a time. Here these are the small files
      // before the large one, its four pieces, and the small files of comments behind it.
      const contents = spansIn(traceIds.contents)
      assert.strictEqual(contents.filter(isStatement).length, 2 + 1 + (1 + 4 + 1), contents.join("\n"))
    }).pipe(Effect.scoped)
)

it.live("what a job does belongs to the request that caused it, in every service that it calls", () =>
  Effect.gen(function* () {
    const { traces } = yield* traced(
      Effect.gen(function* () {
        const clinic = yield* makeClinic
        const payment = yield* newPayment
        const paid = yield* call("POST", "/api/v1/cases", {
          key: clinic.key,
          headers: { traceparent: `00-${traceIds.paying}-00f067aa0ba902b7-01` },
          body: caseBody(clinic, { payment })
        })
        assert.strictEqual(paid.status, 200)
        yield* jobsDone("cases", "payment-recording")
        yield* jobsDone("cases", "assignment")
      })
    )
    const spans = spansOf(traces, traceIds.paying).map(({ name, service }) => `${service} ${name}`)
    assert.includeMembers(spans, [
      "care-cases job payment-recording",
      "care-cases job assignment",
      "care-payments POST request"
    ])
  }).pipe(Effect.scoped)
)

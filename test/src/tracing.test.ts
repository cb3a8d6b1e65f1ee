import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { collector, spansOf } from "./harness/collector.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"

it.live(
  "a request is one trace from the caller through the gateway, services and jobs, without what patients told",
  () =>
    Effect.gen(function* () {
      const { collector: traces } = yield* collector
      process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = traces.url
      const suite = yield* Suite.make()

      yield* Effect.gen(function* () {
        const clinic = yield* makeClinic
        const body = caseBody(clinic)
        assert.strictEqual((yield* createCase(clinic, body)).status, 200)
        const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
        const read = yield* call("GET", `/api/v1/customer-case-detail?email=${body.user.email}`, {
          key: clinic.key,
          headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
        })
        assert.strictEqual(read.status, 200)

        const services = () =>
          ["care-gateway", "care-cases", "care-auth"].filter((name) =>
            traces.exports.some((text) => text.includes(`"${name}"`) && text.includes(traceId))
          )
        yield* Effect.repeat(Effect.sync(services).pipe(Effect.delay("100 millis")), {
          until: (found) => found.length === 3
        })
        const paying = "4bf92f3577b34da6a3ce929d0e0e4737"
        const payment = { amount: 1, currency: "USD", providerReference: { type: "SETUP_INTENT", id: "seti_1" } }
        const paid = yield* call("POST", "/api/v1/cases", {
          key: clinic.key,
          headers: { traceparent: `00-${paying}-00f067aa0ba902b7-01` },
          body: caseBody(clinic, { payment })
        })
        assert.strictEqual(paid.status, 200)
        // What a job does later belongs to the request that caused it, in every service that it calls.
        const later = ["care-cases job payment-recording", "care-cases job assignment", "care-payments POST request"]
        const spans = Effect.sync(() => spansOf(traces, paying).map(({ name, service }) => `${service} ${name}`))
        yield* Effect.repeat(Effect.delay(spans, "100 millis"), {
          until: (names) => later.every((name) => names.includes(name))
        })

        const everything = traces.exports.join("\n")
        for (const text of [clinic.key, body.user.email, body.user.phoneNumber, "How much do you weigh"]) {
          assert.notInclude(everything, text)
          assert.notInclude(everything, encodeURIComponent(text))
        }
      }).pipe(Effect.provideService(Suite, suite))
    }).pipe(Effect.scoped),
  90_000
)

it.live(
  "a read of a case is the same number of SQL statements and calls, however much the case has but for contents of files",
  () =>
    Effect.gen(function* () {
      const { collector: traces } = yield* collector
      process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = traces.url
      const suite = yield* Suite.make()

      yield* Effect.gen(function* () {
        const clinic = yield* makeClinic
        const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
        const path = `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true&includeCalendarEvents=true&includeOrders=true`

        const people = "Patients.summaries"

        const isStatement = (span: string) => span === "care-cases postgres"

        // The spans of the work for one read, by service and name, each counted: when there are as many statements.
        const read = Effect.fnUntraced(function* (traceId: string, least = 0) {
          const answer = yield* call("GET", path, {
            key: clinic.key,
            headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
          })
          assert.strictEqual(answer.status, 200)
          // The services export at their own pace. Whether the gateway had to resolve the key again does not matter here.
          const counted = Effect.sync(() => {
            const spans = spansOf(traces, traceId)
              .filter(({ name, service }) => service !== "care-gateway" && (service !== "care-auth" || name === people))
              .map(({ name, service }) => `${service} ${name}`)
              .sort()
            const roots = ["care-cases GET request", "care-scheduling GET request", `care-auth ${people}`]
            const statements = spans.filter(isStatement).length
            return { isWhole: statements >= least && roots.every((root) => spans.includes(root)), spans }
          })
          const { spans } = yield* Effect.repeat(Effect.delay(counted, "100 millis"), {
            until: ({ isWhole }) => isWhole
          })
          return { spans, caseDetail: answer.json.caseDetail }
        })

        const patient = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
        const content = Buffer.from("%PDF-1.7 a file").toString("base64")
        const grow = admin("POST", `/cases/${caseId}/comments`, {
          authorUserId: patient,
          text: "Hello",
          isRestricted: false,
          attachments: [{ fileName: "a.pdf", content }]
        })
        const attach = admin("POST", `/cases/${caseId}/attachments`, {
          uploadedByUserId: patient,
          fileName: "a.pdf",
          content
        })
        yield* Effect.all([grow, attach])
        yield* read("4bf92f3577b34da6a3ce929d0e0e4730")
        const small = yield* read("4bf92f3577b34da6a3ce929d0e0e4731")
        yield* Effect.all(Array.from({ length: 40 }, () => Effect.all([grow, attach])))
        const large = yield* read("4bf92f3577b34da6a3ce929d0e0e4732")
        assert.deepStrictEqual(
          [small.caseDetail.comments.length, large.caseDetail.comments.length, large.caseDetail.attachments.length],
          [1, 41, 41]
        )
        assert.deepStrictEqual(large.spans, small.spans)
        assert.strictEqual(small.spans.filter(isStatement).length, 3, small.spans.join("\n"))

        // More than 256 KiB of contents: their pieces are counted, and read 256 KiB at a time. Here these are the small files
        // before the large one, its four pieces, and the small files of comments behind it.
        const statements = 2 + 1 + (1 + 4 + 1)
        const megabyte = Buffer.alloc(1024 * 1024, "a").toString("base64")
        yield* admin("POST", `/cases/${caseId}/attachments`, {
          uploadedByUserId: patient,
          fileName: "a.txt",
          content: megabyte
        })
        const { spans } = yield* read("4bf92f3577b34da6a3ce929d0e0e4733", statements)
        assert.strictEqual(spans.filter(isStatement).length, statements, spans.join("\n"))
      }).pipe(Effect.provideService(Suite, suite))
    }).pipe(Effect.scoped),
  90_000
)

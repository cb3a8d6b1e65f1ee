import { createServer } from "node:http"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./harness/call.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"

interface Collector {
  readonly url: string
  /** The bodies of all exports so far. */
  readonly exports: ReadonlyArray<string>
}

const collector = Effect.acquireRelease(
  Effect.callback<{ readonly collector: Collector; readonly close: () => void }>((resume) => {
    const exports: Array<string> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk) => chunks.push(chunk))
      request.on("end", () => {
        exports.push(Buffer.concat(chunks).toString("utf8"))
        response.end("{}")
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(
        Effect.succeed({
          collector: { url: `http://127.0.0.1:${port}`, exports },
          close: () => {
            server.closeAllConnections()
            server.close()
          }
        })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)

it.live(
  "a request is one trace from the caller through the gateway and cases to auth, without what patients told",
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
        const everything = traces.exports.join("\n")
        for (const text of [clinic.key, body.user.email, body.user.phoneNumber, "How much do you weigh"]) {
          assert.notInclude(everything, text)
          assert.notInclude(everything, encodeURIComponent(text))
        }
      }).pipe(Effect.provideService(Suite, suite))
    }).pipe(Effect.scoped),
  90_000
)

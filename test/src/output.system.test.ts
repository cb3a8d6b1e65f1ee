import { services } from "@care/sandbox"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { call } from "./harness/call.ts"
import { collector, spansOf } from "./harness/collector.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { processNames, Suite } from "./harness/Suite.ts"
import { codeSentTo, refresh, sendCode, verifyCode } from "./harness/signIn.ts"
import { tellEverything } from "./harness/tellEverything.ts"
import { until } from "./harness/until.ts"

const secret = "heart-transplant-1987"
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"

const metricsOf = (url: string) =>
  Effect.flatMap(Suite, ({ secrets }) =>
    Effect.promise(() =>
      fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${secrets.ADMIN_TOKEN}` } }).then((answer) =>
        answer.text()
      )
    )
  )

const signIn = Effect.fnUntraced(function* ({ key }: Clinic, email: string) {
  yield* sendCode(key, { email })
  const code = yield* codeSentTo(email)
  const { accessToken, refreshToken } = (yield* verifyCode(key, { email, code })).json
  yield* refresh(key, refreshToken)
  return [` ${code} `, accessToken, refreshToken]
})

/** Fails in the middle of a request with the secret, in each of the services, which writes then what it may. */
const failEverywhere = Effect.fnUntraced(function* (clinic: Clinic, email: string, caseId: string) {
  const { key } = clinic
  const without = <A, E, R>(table: string, request: Effect.Effect<A, E, R>) =>
    Effect.andThen(
      inDatabase((sql) => sql`ALTER TABLE ${sql(table)} RENAME TO broken`),
      request
    )
  const providerReference = { type: "SETUP_INTENT", id: "seti_2" }
  const payment = { amount: 10, currency: "USD", description: secret, providerReference }
  const create = Effect.suspend(() => createCase(clinic, caseBody(clinic, { payment })))
  const action = { action: "UPDATE_PROFILE", data: { email, allergies: secret } }
  const detail = `/api/v1/customer-case-detail?caseId=${caseId}&includeCalendarEvents=true`
  const answers = [
    yield* without("payments.payments", create),
    yield* without("scheduling.calendar_events", call("GET", detail, { key })),
    yield* without("cases.form_responses", create),
    yield* without("auth.users", call("POST", "/api/v1/users", { key, body: action }))
  ]
  assert.deepStrictEqual(
    answers.map(({ status }) => status),
    [200, 503, 500, 500]
  )
  // Payments is told by a job.
  yield* until(metricsOf((yield* Suite).urls.payments), (text) => text.includes('status="500"'))
})

it.live(
  "neither keys, codes and tokens nor what patients told is in the output, the metrics or the traces of any process",
  () =>
    Effect.gen(function* () {
      const traces = yield* collector
      vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", traces.url)
      const journey = Effect.gen(function* () {
        const clinic = yield* makeClinic
        const { caseId, email } = yield* tellEverything(clinic, secret, "Kanarienvogel")
        const read = yield* call("GET", `/api/v1/customer-case-detail?email=${email}`, {
          key: clinic.key,
          headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
        })
        assert.strictEqual(read.status, 200)
        yield* call("POST", "/api/v1/cases", { key: clinic.key, raw: `{"user": "${secret}` })
        const credentials = yield* signIn(clinic, email)
        yield* failEverywhere(clinic, email, caseId)
        const { databaseUrl, output, secrets, urls } = yield* Suite
        const metrics = yield* Effect.forEach(processNames, (name) => metricsOf(urls[name]))
        const hidden = [
          secret,
          email,
          "Kanarienvogel",
          "How much do you weigh",
          clinic.key,
          databaseUrl,
          ...credentials
        ]
        return { output, metrics, hidden: [...hidden, ...Object.values(secrets)] }
      })
      // When the suite has stopped, everything is written and exported.
      const { hidden, metrics, output } = yield* Effect.provide(journey, layerProcesses)

      const written = output.join("\n")
      assert.match(written, /^gateway .*POST \/api\/v1\/cases 200 \d+ ms/m)
      assert.match(written, /^gateway .*GET \/api\/v1\/customer-case-detail 200 \d+ ms/m)
      for (const name of services) assert.match(written, new RegExp(`^${name} .*SqlError .*SQLSTATE 42P01`, "m"))
      for (const text of metrics) assert.match(text, /http_server_request_duration_seconds_count\{.*route="\/.*\} \d/)
      const inTrace = spansOf(traces, traceId).map(({ service }) => service)
      assert.includeMembers(inTrace, ["care-gateway", "care-cases", "care-auth"])

      const everything = [written, ...metrics, ...traces.exports].join("\n")
      for (const text of hidden) {
        assert.notInclude(everything, text)
        assert.notInclude(everything, encodeURIComponent(text))
      }
    }).pipe(Effect.scoped),
  90_000
)

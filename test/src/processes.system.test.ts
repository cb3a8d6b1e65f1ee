import { spawn } from "node:child_process"
import { join } from "node:path"
import { services } from "@care/sandbox"
import { assert } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { vi } from "vitest"
import { call } from "./harness/call.ts"
import { casesOf, claimOf, untilCaseInsertWaits, whileCasesAreLocked } from "./harness/claims.ts"
import { type Collector, collector, spansOf } from "./harness/collector.ts"
import { inDatabase } from "./harness/database.ts"
import { failEverywhere } from "./harness/failEverywhere.ts"
import { type Clinic, caseBody, dynamicBody, makeClinic, newPatient } from "./harness/fixtures.ts"
import { killService, untilReady } from "./harness/killService.ts"
import { DataDirectory, layerProcesses, StopSuite } from "./harness/layerProcesses.ts"
import { metricsOf } from "./harness/metricsOf.ts"
import { processNames, Suite } from "./harness/Suite.ts"
import { codeSentTo, refresh, sendCode, verifyCode } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { writeEverywhere } from "./harness/writeEverywhere.ts"

const root = join(import.meta.dirname, "..", "..")

const secret = "heart-transplant-1987"
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"

/** Collects the traces of the suite's processes. */
class Traces extends Context.Service<Traces, Collector>()("@care/test/Traces") {}

const layerTraces = Layer.effect(
  Traces,
  Effect.tap(collector, ({ url }) => Effect.sync(() => vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", url)))
)

const signIn = Effect.fnUntraced(function* ({ key }: Clinic, email: string) {
  yield* sendCode(key, { email })
  const code = yield* codeSentTo(email)
  const { accessToken, refreshToken } = (yield* verifyCode(key, { email, code })).json
  yield* refresh(key, refreshToken)
  return [` ${code} `, accessToken, refreshToken]
})

// All tests share one suite, which the last test stops.
testsOn(Layer.provideMerge(layerProcesses, layerTraces), "the processes of the suite", (it) => {
  it("a service that is killed before it stored a case: the next request makes it, with the same ids, once", function* () {
    const clinic = yield* makeClinic
    const body = dynamicBody()
    const create = call("POST", "/api/v1/dynamic-case", {
      key: clinic.key,
      body,
      headers: { "idempotency-key": "killed" }
    })
    const killed = yield* whileCasesAreLocked(
      Effect.gen(function* () {
        const request = yield* Effect.forkChild(create)
        yield* untilCaseInsertWaits
        yield* killService("cases")
        return yield* Fiber.join(request)
      })
    )
    assert.isAtLeast(killed.status, 500)
    const [claim] = yield* claimOf(clinic)
    assert.deepStrictEqual([claim?.answer, yield* casesOf(clinic)], [null, []])

    yield* untilReady("cases")
    const fiveTimes = Effect.all(
      Array.from({ length: 5 }, () => create),
      { concurrency: "unbounded" }
    )
    for (const { json, status } of yield* fiveTimes) {
      assert.deepStrictEqual(
        [status, json.data],
        [200, { caseId: claim?.ids.caseId, formResponseId: claim?.ids.formResponseId }]
      )
    }
    assert.deepStrictEqual(yield* casesOf(clinic), [
      { id: claim?.ids.caseId ?? "", user_id: claim?.ids.newUserId ?? "" }
    ])
    const patients = yield* inDatabase("auth", (sql) => sql`SELECT id FROM auth.users WHERE email = ${body.email}`)
    assert.deepStrictEqual(patients, [{ id: claim?.ids.newUserId }])
  })

  const care = Effect.fnUntraced(function* (...parameters: ReadonlyArray<string>) {
    const env = {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      CARE_URL: (yield* Suite).urls.gateway,
      CARE_DATA_DIR: yield* DataDirectory
    }
    return yield* Effect.callback<{ readonly code: number | null; readonly out: string; readonly error: string }>(
      (resume) => {
        const child = spawn(process.execPath, ["packages/cli/src/main.ts", ...parameters], { cwd: root, env })
        let out = ""
        let error = ""
        child.stdout.on("data", (text) => (out += text))
        child.stderr.on("data", (text) => (error += text))
        child.on("close", (code) => resume(Effect.succeed({ code, out, error })))
      }
    )
  })

  it("care works with the token that the start command keeps, and exits with 0", function* () {
    const created = yield* care("org", "create", "Acme Clinic")
    assert.match(created.out, /^name +Acme Clinic$/m)
    assert.deepStrictEqual([created.code, created.error], [0, ""])
  })

  it("care writes one line to standard error when a command does not work, and exits with 1", function* () {
    const failed = yield* care("org", "show", "3b241101-e2bb-4255-8caf-4136c566a962")
    assert.match(failed.error, /^Organization not found: .*\n$/)
    assert.deepStrictEqual([failed.code, failed.out], [1, ""])
    const forPrograms = yield* care("org", "show", "3b241101-e2bb-4255-8caf-4136c566a962", "--json")
    assert.match(JSON.parse(forPrograms.error).error.message, /^Organization not found: /)
    assert.deepStrictEqual([forPrograms.code, forPrograms.out], [1, ""])
  })

  it("neither keys, codes and tokens nor what patients told is in the output, the metrics or the traces of any process", function* () {
    const traces = yield* Traces
    const { databaseUrls, output, secrets, urls } = yield* Suite
    const clinic = yield* makeClinic
    const patient = { ...newPatient(), lastName: "Kanarienvogel" }
    const { email } = patient
    const caseId = yield* writeEverywhere(clinic, secret, patient)
    const read = yield* call("GET", `/api/v1/customer-case-detail?email=${email}`, { key: clinic.key })
    assert.strictEqual(read.status, 200)
    // Cases calls auth for the patient.
    const created = yield* call("POST", "/api/v1/cases", {
      key: clinic.key,
      body: caseBody(clinic),
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    })
    assert.strictEqual(created.status, 200)
    yield* call("POST", "/api/v1/cases", { key: clinic.key, raw: `{"user": "${secret}` })
    const credentials = yield* signIn(clinic, email)
    yield* failEverywhere(clinic, secret, email, caseId)
    const metrics = yield* Effect.forEach(processNames, (name) => metricsOf(urls[name]))
    // When the suite has stopped, everything is written and exported.
    yield* yield* StopSuite

    const logs = output.join("\n")
    assert.match(logs, /^gateway .*POST \/api\/v1\/cases 200 \d+ ms/m)
    assert.match(logs, /^gateway .*GET \/api\/v1\/customer-case-detail 200 \d+ ms/m)
    for (const name of services) assert.match(logs, new RegExp(`^${name} .*SqlError .*SQLSTATE 42P01`, "m"))
    for (const text of metrics) assert.match(text, /http_server_request_duration_seconds_count\{.*route="\/.*\} \d/)
    const inTrace = spansOf(traces, traceId).map(({ service }) => service)
    assert.includeMembers(inTrace, ["care-gateway", "care-cases", "care-auth"])

    const everything = [logs, ...metrics, ...traces.exports].join("\n")
    const hidden = [secret, email, "Kanarienvogel", "How much do you weigh", clinic.key, databaseUrls.auth]
    for (const text of [...hidden, ...credentials, ...Object.values(secrets)]) {
      assert.notInclude(everything, text)
      assert.notInclude(everything, encodeURIComponent(text))
    }
  })
})

import type { IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { runCare } from "@care/cli"
import { findFreeBase } from "@care/sandbox"
import { serveListener } from "@care/service-kit/testing"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Exit, Fiber } from "effect"
import { Webhook } from "standardwebhooks"
import { addEndpoint, endpoints } from "./harness/endpoints.ts"
import { type Clinic, caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

/** Returns a URL on which no server listens, nor will. */
const unusedUrl = Effect.map(findFreeBase([0]), (port) => `http://127.0.0.1:${port}`)

const stringsOf = (headers: IncomingMessage["headers"]) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

testsOn(Suite.shared, "care listen", (it) => {
  const endpointsOf = (clinic: Clinic) => Effect.map(endpoints("GET", clinic), ({ json }) => json.data)

  /** Runs a command with the key of a clinic. Returns its output so far, and its fiber. */
  const start = Effect.fnUntraced(function* (clinic: Clinic, ...parameters: ReadonlyArray<string>) {
    const { urls } = yield* Suite
    const out: Array<string> = []
    const progress: Array<string> = []
    const capturing: Console.Console = Object.assign(Object.create(console), {
      log: (line: string) => out.push(line),
      error: (line: string) => progress.push(line)
    })
    const running = yield* runCare(parameters).pipe(
      Effect.provide(NodeServices.layer),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromEnvRecord({ CARE_URL: urls.gateway, CARE_API_KEY: clinic.key })
      ),
      Effect.provideService(Console.Console, capturing),
      Effect.forkChild
    )
    return { out, progress: progress, running }
  })
  const listening = (progress: ReadonlyArray<string>) =>
    until(
      Effect.sync(() => progress.join("\n")),
      (lines) => lines.includes("Listening for events")
    )
  const newCase = (clinic: Clinic, changes: object = {}) =>
    Effect.map(createCase(clinic, caseBody(clinic, { ...changes })), ({ json }): string => json.data.caseId)

  it("prints each event in a line, forwards it with its signature, and deletes its endpoint when it ends", function* () {
    const clinic = yield* makeClinic
    const passed: Array<{ readonly headers: IncomingMessage["headers"]; readonly body: string }> = []
    const { url } = yield* serveListener(async (request, response) => {
      passed.push({ headers: request.headers, body: await text(request) })
      response.writeHead(204).end()
    })
    const { out, running, progress } = yield* start(clinic, "listen", "--forward-to", url, "--events", "case.created")
    yield* listening(progress)
    const [endpoint] = yield* endpointsOf(clinic)
    assert.deepInclude(endpoint, { eventTypes: ["case.created"], includeTestCases: false })
    const caseId = yield* newCase(clinic)
    const line = yield* until(
      Effect.sync(() => out[0]),
      (printed) => printed !== undefined
    )
    assert.match(line ?? "", /^\S+Z {2}case\.created {2}/)
    for (const detail of [`caseId=${caseId}`, "sequence=1", "status=OPEN"]) assert.include(line, `  ${detail}  `)
    yield* until(
      Effect.sync(() => progress.join("\n")),
      (lines) => lines.includes("answered 204")
    )
    const [first] = passed
    assert.strictEqual(first?.headers["webhook-id"], line?.split("id=").at(-1))
    assert.match(String(first?.headers["webhook-signature"]), /^v1,/)
    assert.strictEqual(JSON.parse(first?.body ?? "").data.caseId, caseId)
    // The receiver of forwarded events verifies them with the printed secret.
    const [, forwarding] = /signed with (whsec_\S+):/.exec(progress.join("\n")) ?? []
    const checked = new Webhook(forwarding ?? "").verify(first?.body ?? "", stringsOf(first?.headers ?? {}))
    assert.deepInclude(checked, { type: "case.created" })

    // Unsigned requests are not printed.
    const secret = `whsec_${Buffer.alloc(32).toString("base64")}`
    const body = JSON.stringify({ type: "case.created", timestamp: new Date().toISOString(), data: {} })
    const headers = {
      "webhook-id": "forged",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": new Webhook(secret).sign("forged", new Date(), body)
    }
    const forged = yield* Effect.promise(() => fetch(endpoint.url, { method: "POST", headers, body }))
    assert.deepStrictEqual([forged.status, out.length, passed.length], [401, 1, 1])

    yield* Fiber.interrupt(running)
    assert.deepStrictEqual(yield* endpointsOf(clinic), [])
  })

  it("forwards the events of a sandbox with a test key alone, and no live ones", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    const passed: Array<string> = []
    const { url } = yield* serveListener(async (request, response) => {
      passed.push(JSON.parse(await text(request)).data.caseId)
      response.writeHead(204).end()
    })
    const { running, progress } = yield* start(sandbox, "listen", "--forward-to", url, "--events", "case.created")
    yield* listening(progress)
    yield* newCase(live)
    const caseId = yield* newCase(sandbox)
    yield* until(
      Effect.sync(() => passed.length),
      (length) => length > 0
    )
    assert.deepStrictEqual(passed, [caseId])
    yield* Fiber.interrupt(running)
  })

  it("reports a receiver that does not respond, and one that disables the endpoint; other cases continue meanwhile", function* () {
    const clinic = yield* makeClinic
    const closedUrl = yield* unusedUrl
    const { out, running, progress } = yield* start(clinic, "listen", "--forward-to", closedUrl)
    yield* listening(progress)
    const [{ id }] = yield* endpointsOf(clinic)
    for (let count = 1; count <= 2; count += 1) {
      yield* newCase(clinic)
      yield* until(
        Effect.sync(() => out.length),
        (length) => length >= count
      )
    }
    const { json } = yield* until(
      endpoints("GET", clinic, `/${id}/deliveries`),
      (answer) => answer.json.data.filter(({ attempts }: { attempts: [] }) => attempts.length > 0).length === 2
    )
    for (const { attempts } of json.data) assert.strictEqual(attempts[0].status, 503)
    assert.include(progress.join("\n"), `  ${closedUrl} did not answer`)
    yield* Fiber.interrupt(running)

    const { url } = yield* serveListener((_, response) => response.writeHead(410).end())
    const refusing = yield* start(clinic, "listen", "--forward-to", url)
    yield* listening(refusing.progress)
    yield* newCase(clinic)
    yield* until(
      Effect.sync(() => refusing.progress.join("\n")),
      (lines) => lines.includes("answered 410, which disables the endpoint")
    )
    yield* Fiber.interrupt(refusing.running)
  })

  it("waits as long as the receiver's Retry-After says", function* () {
    const clinic = yield* makeClinic
    const { url } = yield* serveListener((_, response) => response.writeHead(503, { "retry-after": "3600" }).end())
    const { running, progress } = yield* start(clinic, "listen", "--forward-to", url, "--events", "case.created")
    yield* listening(progress)
    const [{ id }] = yield* endpointsOf(clinic)
    yield* newCase(clinic)
    // The list of deliveries is read before their attempts.
    const waiting = Effect.map(endpoints("GET", clinic, `/${id}/deliveries`), ({ json }) => {
      const [delivery] = json.data
      const [attempt] = delivery?.attempts ?? []
      return attempt === undefined ? 0 : Date.parse(delivery.nextAttemptAt) - Date.parse(attempt.at)
    })
    assert.isAtLeast(yield* until(waiting, (millis) => millis > 0), 3_599_000)
    yield* Fiber.interrupt(running)
  })

  it("refuses an invalid receiver URL before it creates anything", function* () {
    const clinic = yield* makeClinic
    for (const wrong of ["nonsense", "ftp://localhost/x", "http://me:secret@localhost:3000"]) {
      const { running, progress } = yield* start(clinic, "listen", "--forward-to", wrong)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(running)))
      assert.match(progress.join("\n"), /^--forward-to must be an http or https URL without credentials, such as /)
    }
    assert.deepStrictEqual(yield* endpointsOf(clinic), [])
  })

  it("prints a JSON document a line, of test cases only when asked", function* () {
    const clinic = yield* makeClinic
    const { out, running, progress } = yield* start(clinic, "listen", "--json", "--include-test-cases")
    yield* listening(progress)
    const caseId = yield* newCase(clinic, { isTest: true })
    const printed = yield* until(
      Effect.sync(() => out[0]),
      (line) => line !== undefined
    )
    const { data, type } = JSON.parse(printed ?? "")
    assert.deepStrictEqual([type, data.caseId], ["case.created", caseId])
    assert.notInclude(printed, "\n")
    yield* Fiber.interrupt(running)
  })

  it("removes the endpoint of a run that was killed, and no other", function* () {
    const clinic = yield* makeClinic
    const alive = yield* serveListener((_, response) => response.writeHead(204).end())
    const closedUrl = yield* unusedUrl
    const leftover = yield* addEndpoint(clinic, { url: `${closedUrl}/care-listen/killed` })
    const others = [
      yield* addEndpoint(clinic, { url: `${closedUrl}/events` }),
      yield* addEndpoint(clinic, { url: `${alive.url.replace("localhost", "127.0.0.1")}/care-listen/another` })
    ]
    const { running, progress } = yield* start(clinic, "listen")
    yield* listening(progress)
    yield* Fiber.interrupt(running)
    const ids = (yield* endpointsOf(clinic)).map(({ id }: { readonly id: string }) => id)
    assert.notInclude(ids, leftover.id)
    assert.sameMembers(
      ids,
      others.map(({ id }) => id)
    )
  })

  it("event list shows what happened, and event resend sends it again", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic)
    const listed = () =>
      Effect.gen(function* () {
        const { out, running } = yield* start(clinic, "event", "list", "--case", caseId, "--json")
        yield* Fiber.join(running)
        return JSON.parse(out.join("\n")).data
      })
    const [event] = yield* until(listed(), (events) => events.length > 0)
    assert.deepInclude(event, { type: "case.created", isTest: false })
    const { id } = yield* addEndpoint(clinic, { eventTypes: ["case.closed"] })
    const resend = Effect.fnUntraced(function* (...parameters: ReadonlyArray<string>) {
      const { out, running } = yield* start(clinic, "event", "resend", event.id, ...parameters)
      yield* Fiber.join(running)
      return out.join("\n")
    })
    assert.strictEqual(yield* resend(), "The event matches no enabled endpoint: choose one with --endpoint.")
    assert.strictEqual(yield* resend("--endpoint", id), "Sent again to 1 endpoint.")
    const { deliveries, ...rest } = JSON.parse(yield* resend("--endpoint", id, "--json"))
    assert.deepStrictEqual(rest, { id: event.id })
    assert.deepInclude(deliveries[0], { endpointId: id, eventId: event.id })
    const { json } = yield* endpoints("GET", clinic, `/${id}/deliveries`)
    assert.strictEqual(json.data[0].eventId, event.id)
  })
})

import type { ServiceHealth } from "@care/domain/gateway"
import { rawRequest } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { ask, begin } from "../../testing/requests.ts"
import { runGateway } from "../../testing/runGateway.ts"
import { type Handle, keys, resolveKnownKey, upstream } from "../../testing/Upstream.ts"

const away = "http://127.0.0.1:1"

const statuses = [200, 404, 500, 503]

// Answers with the next of the statuses, and then not at all.
const failing = (): Handle => {
  let answered = 0
  return (request, response) => {
    if (request.url === "/health/ready") {
      response.writeHead(200).end("{}")
      return
    }
    const status = statuses[answered]
    answered += 1
    if (status === undefined) response.destroy()
    else response.writeHead(status, { "content-type": "application/json" }).end("{}")
  }
}

type Health = Pick<ServiceHealth, "lastHour">

const totalsOf = ({ lastHour }: Health) => ({
  requests: lastHour.reduce((total, { requests }) => total + requests, 0),
  failed: lastHour.reduce((total, { failed }) => total + failed, 0)
})

const healthOf = Effect.fnUntraced(function* (url: string, authorization = "Bearer operator") {
  return yield* ask(`${url}/admin/v1/service-health`, { headers: { authorization } })
})

it.live("it has the readiness of each service, and what was forwarded to it and failed", () =>
  Effect.gen(function* () {
    const cases = yield* upstream(resolveKnownKey, failing())
    const unready = yield* upstream(resolveKnownKey, (_, response) => response.writeHead(503).end("{}"))
    const { url } = yield* runGateway({
      handle: failing(),
      environment: { CASES_URL: cases.url, PAYMENTS_URL: away, SCHEDULING_URL: unready.url }
    })
    for (let request = 0; request < 6; request += 1) {
      yield* ask(`${url}/api/v1/customer-case-detail?email=a@example.com`, { key: keys.one })
    }
    const { json, status } = yield* healthOf(url)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(
      json.data.map(({ cell, isReady, service }: ServiceHealth) => [service, cell, isReady]),
      [
        ["auth", "c1", true],
        ["cases", "c1", true],
        ["payments", "c1", false],
        ["scheduling", "c1", false]
      ]
    )
    for (const { checkedAt, lastHour, service } of json.data) {
      assert.match(checkedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      if (service !== "cases") assert.deepStrictEqual(lastHour, [])
    }
    assert.deepStrictEqual(totalsOf(json.data[1]), { requests: 6, failed: 4 })
    for (const { medianMs, minute, slowestMs } of json.data[1].lastHour) {
      assert.match(minute, /:00\.000Z$/)
      assert.isAtMost(medianMs, slowestMs)
    }
  })
)

it.live("a long answer counts once, and a caller who hangs up counts as nothing", () =>
  Effect.gen(function* () {
    const received = yield* Deferred.make<void>()
    const broken = yield* Deferred.make<void>()
    const { url } = yield* runGateway({
      handle: (request, response) => {
        if (request.url?.includes("long") === true) response.end(Buffer.alloc(100_000))
        else if (request.url?.includes("never") === true) {
          Deferred.doneUnsafe(received, Effect.void)
          response.on("close", () => Deferred.doneUnsafe(broken, Effect.void))
        } else response.end("{}")
      }
    })
    const detail = "/api/v1/customer-case-detail?caseId="
    const key = `cv-api-key: ${keys.one}`
    yield* Effect.promise(async () => {
      const answer = await fetch(`${url}${detail}long`, { headers: { "cv-api-key": keys.one } })
      assert.strictEqual((await answer.arrayBuffer()).byteLength, 100_000)
    })
    const socket = yield* begin(url, rawRequest("GET", `${detail}never`, [key]))
    yield* Deferred.await(received)
    socket.destroy()
    yield* Deferred.await(broken)
    yield* ask(`${url}${detail}short`, { key: keys.one })
    assert.deepStrictEqual(totalsOf((yield* healthOf(url)).json.data[1]), { requests: 2, failed: 0 })
  })
)

it.live("each cell has its own", () =>
  Effect.gen(function* () {
    const other = yield* upstream(resolveKnownKey, failing())
    const services = { auth: other.url, cases: away, payments: other.url, scheduling: other.url }
    const { url } = yield* runGateway({
      handle: failing(),
      environment: { CELLS: JSON.stringify({ c2: { ...services, internalSecret: "secret-of-c2" } }) }
    })
    yield* ask(`${url}/api/v1/customer-case-detail?caseId=x`, { key: keys.one })
    const { data } = (yield* healthOf(url)).json
    assert.deepStrictEqual(
      data.map(({ cell, isReady, service }: ServiceHealth) => [cell, service, isReady]),
      ["c1", "c2"].flatMap((cell) =>
        ["auth", "cases", "payments", "scheduling"].map((service) => [
          cell,
          service,
          cell !== "c2" || service !== "cases"
        ])
      )
    )
    assert.deepStrictEqual(
      data.map((health: Health) => totalsOf(health).requests),
      [0, 1, 0, 0, 0, 0, 0, 0]
    )
  })
)

it.live("it is for operators alone", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    for (const authorization of ["Bearer wrong", ""]) {
      assert.strictEqual((yield* healthOf(url, authorization)).status, 401)
    }
  })
)

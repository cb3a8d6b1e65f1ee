import type { ServiceHealth } from "@care/domain/gateway"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../testing/requests.ts"
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
    const data: ReadonlyArray<Record<keyof ServiceHealth, unknown>> = json.data
    assert.deepStrictEqual(
      data.map(({ cell, isReady, service }) => [service, cell, isReady]),
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
    const sum = (name: "requests" | "failed") =>
      json.data[1].lastHour.reduce((total: number, minute: Record<typeof name, number>) => total + minute[name], 0)
    assert.deepStrictEqual([sum("requests"), sum("failed")], [6, 4])
    for (const { medianMs, minute, slowestMs } of json.data[1].lastHour) {
      assert.match(minute, /:00\.000Z$/)
      assert.isAtMost(medianMs, slowestMs)
    }
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

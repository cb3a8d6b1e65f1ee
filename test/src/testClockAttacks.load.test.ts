import { randomUUID } from "node:crypto"
import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { admin, call } from "./harness/call.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { pharmacyOrder, setPharmacyAnswers } from "./harness/pharmacy.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { ofSandboxes } from "./harness/testAccounts.ts"
import { advance, clockOf, clockPath, newSandbox } from "./harness/testClock.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

/** Runs an endpoint of webhooks that answers nothing until it is released, and then with 500. */
const hangingEndpoint = Effect.gen(function* () {
  const held: Array<() => void> = []
  const state = { isReleased: false }
  const { url } = yield* serveListener((request, response) => {
    request.resume()
    const answer = () => response.writeHead(500).end()
    if (state.isReleased) answer()
    else held.push(answer)
  })
  const isHolding = until(
    Effect.sync(() => held.length),
    (length) => length > 0
  )
  const release = Effect.sync(() => {
    state.isReleased = true
    for (const answer of held) answer()
  })
  return { url, held: () => held.length, isHolding, release }
})

testsOn(Suite.shared, "the clock of a sandbox under attack", (it) => {
  const movedBy = Effect.fnUntraced(function* (key: string, body: object) {
    const { json, status } = yield* advance(key, body)
    assert.strictEqual(status, 200, JSON.stringify([body, json]))
    return String(json.data.advance.target)
  })

  it("moves by calendar months and years: at the ends of months, and over a leap day", function* () {
    const { key } = yield* newSandbox
    const year = [1, 2, 3, 4, 5].map((years) => new Date().getUTCFullYear() + years).find((year) => year % 4 === 0) ?? 0
    assert.strictEqual(yield* movedBy(key, { to: `${year}-01-31T12:00:00Z` }), `${year}-01-31T12:00:00.000Z`)
    for (const [by, day] of [
      ["P1M", `${year}-02-29T12:00:`],
      ["P1Y", `${year + 1}-02-28T12:00:`],
      ["P1M1DT36H", `${year + 1}-03-31T00:00:`],
      ["P1M", `${year + 1}-04-30T00:00:`],
      ["P2W", `${year + 1}-05-14T00:00:`]
    ] as const) {
      assert.strictEqual((yield* movedBy(key, { by })).slice(0, day.length), day, by)
    }
  })

  it("is refused with 400 for whatever is no duration and no time, and stays where it is", function* () {
    const { key } = yield* newSandbox
    const durations = ["", " ", "PT0.5S", "P1.5D", "P-1D", "-P1D", "+P1D", "P1D ", "p1d", "PT", "P1D1D", "PT1H1D"]
    const huge = ["P100000D", "P99999D", "P11Y", "PT99999H99999M99999S9", "P٣D", "P1D\u0000", `P${"9".repeat(5000)}D`]
    const values = [null, 0, -1, 1e308, true, [], ["P1D"], {}, { days: 1 }]
    const times = [
      "now",
      "tomorrow",
      "2030-02-30T00:00:00Z",
      "2030-01-01",
      "2030-01-01T00:00:00",
      "+275760-09-13T00:00:00Z",
      "0000-01-01T00:00:00Z",
      "-000001-01-01T00:00:00Z",
      "1970-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999Z",
      4e12
    ]
    for (const body of [
      ...[...durations, ...huge, ...values].map((by) => ({ by })),
      ...[...times, ...values].map((to) => ({ to })),
      ...values,
      "P1D"
    ]) {
      const { json, status } = yield* advance(key, body)
      assert.deepStrictEqual([status, json.success], [400, false], JSON.stringify(body))
    }
    for (const raw of ["", "{", "[".repeat(5000), `{"by":"P1D","by":"P200Y"}`]) {
      const { status } = yield* call("POST", `${clockPath}/advance`, { key, raw })
      assert.strictEqual(status, 400, raw.slice(0, 20))
    }
    assert.closeTo(Date.parse((yield* clockOf(key)).json.data.now), Date.now(), 10_000)
  })

  it("is one clock for two keys of a sandbox, which see each other's moves, and one of them moves it at a time", function* () {
    const live = yield* makeClinic
    const [{ key: one }, { key: other }] = [yield* makeSandbox(live), yield* makeSandbox(live)]
    const begun = performance.now()
    const start = Date.parse((yield* clockOf(one)).json.data.now)
    let days = 0
    for (let round = 0; round < 3; round += 1) {
      const answers = yield* Effect.all(
        [one, other, one, other].map((key) => advance(key, { by: "P1D" })),
        { concurrency: "unbounded" }
      )
      for (const { json, status } of answers) {
        assert.include([200, 409], status)
        if (status === 200) days += 1
        const { id } = json.data?.advance ?? {}
        if (id === undefined) continue
        for (const key of [one, other]) {
          assert.strictEqual((yield* call("GET", `${clockPath}/advances/${id}`, { key })).json.data.state, "DONE")
        }
      }
    }
    assert.isAtLeast(days, 3)
    const [mine, others] = [yield* clockOf(one), yield* clockOf(other)].map(({ json }) => Date.parse(json.data.now))
    assert.closeTo((mine ?? 0) - start, days * 86_400_000, 1000 + performance.now() - begun)
    assert.closeTo(others ?? 0, mine ?? 0, 5000)
  })

  it("202: a move that waits for a webhook endpoint tells its progress, is followed at its Location, and ends", function* () {
    const sandbox = yield* newSandbox
    const { key } = sandbox
    const endpoint = yield* hangingEndpoint
    yield* addEndpoint(sandbox, { url: endpoint.url, eventTypes: ["case.created"] })
    const { caseId } = (yield* createCase(sandbox, caseBody(sandbox))).json.data
    yield* endpoint.isHolding
    const moving = yield* advance(key, { by: "P1D" })
    assert.strictEqual(moving.status, 202)
    const { progress } = moving.json.data
    assert.deepInclude(progress, { state: "MOVING", reached: progress.from, steps: 0 })
    const location = moving.headers.get("location") ?? ""
    assert.strictEqual(location, `${clockPath}/advances/${progress.id}`)
    const before = yield* clockOf(key)
    assert.deepStrictEqual(before.json.data.advance.id, progress.id)
    assert.isBelow(Date.parse(before.json.data.now), Date.parse(progress.target))
    const refused = yield* advance(key, { by: "PT1H" })
    assert.deepStrictEqual(
      [refused.status, refused.json.error],
      [409, `The clock already moves to ${progress.target}. Try again when it is there.`]
    )
    // The sandbox works on meanwhile, and others move their clocks.
    assert.strictEqual((yield* call("GET", `/api/v1/cases/${caseId}/orders`, { key })).status, 200)
    assert.strictEqual((yield* advance((yield* newSandbox).key, { by: "P1D" })).status, 200)
    yield* endpoint.release
    const follow = call("GET", location, { key })
    const { json } = yield* until(follow, ({ json }) => json.data.state !== "MOVING")
    assert.deepInclude(json.data, { id: progress.id, state: "DONE", from: progress.from, target: progress.target })
    assert.isAbove(json.data.steps, 1)
    assert.isAtLeast(Date.parse(json.data.reached), Date.parse(progress.target))
    const after = (yield* clockOf(key)).json.data
    assert.isNull(after.advance)
    assert.isAtLeast(Date.parse(after.now), Date.parse(progress.target))
  })

  it("does not wait for the clocks of many others, which wait for their webhook endpoints", function* () {
    const endpoint = yield* hangingEndpoint
    const hang = Effect.gen(function* () {
      const sandbox = yield* newSandbox
      yield* addEndpoint(sandbox, { url: endpoint.url, eventTypes: ["case.created"] })
      yield* createCase(sandbox, caseBody(sandbox))
      return sandbox
    })
    const others = yield* Effect.replicateEffect(hang, 12)
    yield* until(Effect.sync(endpoint.held), (count) => count >= others.length)
    const moving = yield* Effect.forEach(others, ({ key }) => Effect.forkChild(advance(key, { by: "P1D" })))
    for (const { key } of others) yield* until(clockOf(key), ({ json }) => json.data.advance !== null)
    const { key } = yield* newSandbox
    for (const by of ["P1D", "P1D", "P1D"]) assert.strictEqual((yield* advance(key, { by })).status, 200)
    yield* endpoint.release
    yield* Effect.forEach(moving, Fiber.join)
    for (const { key } of others) yield* until(clockOf(key), ({ json }) => json.data.advance === null)
  })

  it("goes on while the live organization is disabled, whose keys are refused, and is at its target when it is enabled", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    const { key } = sandbox
    const endpoint = yield* hangingEndpoint
    yield* addEndpoint(sandbox, { url: endpoint.url, eventTypes: ["case.created"] })
    yield* createCase(sandbox, caseBody(sandbox))
    yield* endpoint.isHolding
    const moving = yield* Effect.forkChild(advance(key, { by: "P2D" }))
    const { advance: begun } = (yield* until(clockOf(key), ({ json }) => json.data.advance !== null)).json.data
    const disable = (isDisabled: boolean) => admin("PATCH", `/organizations/${live.organizationId}`, { isDisabled })
    yield* disable(true)
    yield* until(clockOf(key), ({ status }) => status === 401)
    yield* endpoint.release
    yield* Fiber.join(moving)
    yield* disable(false)
    yield* until(clockOf(key), ({ json, status }) => status === 200 && json.data.advance === null)
    const ended = yield* call("GET", `${clockPath}/advances/${begun.id}`, { key })
    assert.strictEqual(ended.json.data.state, "DONE")
    assert.isAtLeast(Date.parse((yield* clockOf(key)).json.data.now), Date.parse(begun.target))
  })

  it("moves or is reset when both are asked at once, and works afterwards", function* () {
    const sandbox = yield* newSandbox
    const { key } = sandbox
    for (let round = 0; round < 5; round += 1) {
      yield* createCase(sandbox, caseBody(sandbox))
      const reset = call("POST", "/api/v1/test/reset", { key })
      const answers = yield* Effect.all(
        [advance(key, { by: "P3D" }), reset, advance(key, { by: "P1D" }), reset, clockOf(key)],
        { concurrency: "unbounded" }
      )
      for (const { json, status } of answers) assert.include([200, 202, 401, 409, 503], status, JSON.stringify(json))
      yield* until(clockOf(key), ({ json, status }) => status === 200 && json.data.advance === null)
    }
    yield* until(call("POST", "/api/v1/test/reset", { key }), ({ status }) => status === 200)
    assert.closeTo(Date.parse((yield* clockOf(key)).json.data.now), Date.now(), 10_000)
    assert.lengthOf((yield* call("GET", "/api/v1/cases", { key })).json.data, 0)
    assert.strictEqual((yield* advance(key, { by: "P1D" })).status, 200)
  })

  it("is not stopped by jobs that always fail: they are given up at their times, and others' are done", function* () {
    const sandbox = yield* newSandbox
    const pharmacyId = randomUUID()
    yield* ofSandboxes(setPharmacyAnswers(pharmacyId, "down"))
    const newCase = Effect.suspend(() =>
      Effect.map(createCase(sandbox, caseBody(sandbox)), ({ json }): string => json.data.caseId)
    )
    const [failing, working] = [yield* newCase, yield* newCase]
    yield* placeOrder(sandbox, failing, orderBody({ pharmacyId }))
    const ordered = yield* placeOrder(sandbox, working, orderBody())
    const { json, status } = yield* advance(sandbox.key, { by: "P30D" })
    const { id } = json.data.advance ?? json.data.progress
    const find = call("GET", `${clockPath}/advances/${id}`, { key: sandbox.key })
    const ended = yield* until(find, ({ json }) => json.data.state !== "MOVING")
    assert.include([200, 202], status)
    assert.strictEqual(ended.json.data.state, "DONE")
    const orders = (caseId: string) =>
      Effect.map(call("GET", `/api/v1/cases/${caseId}/orders`, { key: sandbox.key }), ({ json }) => json.data[0].status)
    assert.deepStrictEqual([yield* orders(failing), yield* orders(working)], ["ERROR", "SUBMITTED"])
    assert.isNotNull((yield* ofSandboxes(pharmacyOrder(ordered.json.data.order.id))).taken)
  })
})

import { randomUUID } from "node:crypto"
import { callers } from "@care/domain/http"
import { IdentityTokens, identityHeader } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { ask, whileTimePasses } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { answerLength, type Handle, resolveKnownKey, upstream } from "../testing/Upstream.ts"

const answer =
  (createdAt: string | null): Handle =>
  (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ createdAt }))

const older = "2026-01-01T00:00:00.000Z"
const newer = "2026-02-02T00:00:00.000Z"
const away: Handle = (_, response) => response.destroy()
const failing: Handle = (_, response) => response.writeHead(503).end()
const slow: Handle = () => {}

const findPath = "/internal/v1/other-cells/users/find"

/** Runs a gateway before the cells c1, c2 and c3, which answer as told. Returns the question of a cell about a user. */
const threeCells = Effect.fnUntraced(function* (handles: { c1: Handle; c2: Handle; c3: Handle }) {
  const c2 = yield* upstream(resolveKnownKey, handles.c2)
  const c3 = yield* upstream(resolveKnownKey, handles.c3)
  const description = (url: string, internalSecret: string) => ({
    ...{ auth: url, cases: url, payments: url, scheduling: url },
    internalSecret
  })
  const cells = { c2: description(c2.url, "secret-of-c2"), c3: description(c3.url, "secret-of-c3") }
  const gateway = yield* runGateway({ environment: { CELLS: JSON.stringify(cells) }, handle: handles.c1 })
  const find = Effect.fnUntraced(function* (secret: string, body: unknown = { email: "maria@example.com" }) {
    const tokens = IdentityTokens.make([Redacted.make(secret)])
    const token = yield* tokens.mint(callers.service.Identity.make({ service: "auth" }))
    return yield* ask(`${gateway.url}${findPath}`, {
      method: "POST",
      headers: { [identityHeader]: token, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  })
  const findOrder = Effect.fnUntraced(function* (secret: string) {
    const token = yield* IdentityTokens.make([Redacted.make(secret)]).mint(
      callers.service.Identity.make({ service: "cases" })
    )
    return yield* ask(`${gateway.url}/internal/v1/other-cells/orders/${randomUUID()}`, {
      headers: { [identityHeader]: token }
    })
  })
  return { find, findOrder, url: gateway.url, c1: gateway.targets, c2: c2.targets, c3: c3.targets }
})

it.live("a cell learns of the oldest user of all others, and is not asked itself", () =>
  Effect.gen(function* () {
    const { c1, c2, c3, find } = yield* threeCells({ c1: answer(newer), c2: answer(older), c3: answer(null) })
    const created = Effect.fnUntraced(function* (secret: string) {
      const { json, status } = yield* find(secret)
      assert.deepStrictEqual([status, json.silentCells], [200, []])
      return json.createdAt
    })
    assert.strictEqual(yield* created("secret"), older)
    assert.deepStrictEqual([c1.length, c2.length, c3.length], [0, 1, 1])
    assert.strictEqual(yield* created("secret-of-c2"), newer)
    assert.strictEqual(yield* created("secret-of-c3"), older)
    assert.deepStrictEqual([c1.length, c2.length, c3.length], [2, 2, 2])
  })
)

it.live("a cell learns whether another one has an order, and which did not answer", () =>
  Effect.gen(function* () {
    const own =
      (isOwn: boolean): Handle =>
      (_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ isOwn }))
    const { findOrder } = yield* threeCells({ c1: own(false), c2: own(true), c3: away })
    const answers = yield* Effect.forEach(["secret", "secret-of-c2"], findOrder)
    assert.deepStrictEqual(
      answers.map(({ json, status }) => [status, json]),
      [
        [200, { isFound: true, silentCells: ["c3"] }],
        [200, { isFound: false, silentCells: ["c3"] }]
      ]
    )
  })
)

for (const [what, handle] of Object.entries({ away, failing, slow })) {
  it.effect(`a cell that is ${what} is named within a second and a half, and then left out for some seconds`, () =>
    Effect.gen(function* () {
      const { c3, find } = yield* threeCells({ c1: answerLength, c2: answer(older), c3: handle })
      const startedAt = yield* Clock.currentTimeMillis
      const { json } = yield* whileTimePasses(find("secret"), "2 millis")
      assert.isAtMost((yield* Clock.currentTimeMillis) - startedAt, 1500)
      assert.deepStrictEqual(json, { createdAt: older, silentCells: ["c3"] })
      const before = c3.length
      assert.isAbove(before, 0)
      // No time passes.
      const again = yield* find("secret")
      assert.deepStrictEqual(again.json, { createdAt: older, silentCells: ["c3"] })
      assert.lengthOf(c3, before)
    })
  )
}

it.live("nobody but a service of a cell may ask: to others the path does not exist", () =>
  Effect.gen(function* () {
    const { c1, c2, c3, find, url } = yield* threeCells({ c1: answerLength, c2: answer(older), c3: answer(older) })
    const statuses = [
      yield* find("secret-of-nobody"),
      yield* ask(url + findPath, { method: "POST", body: "{}" }),
      yield* ask(url + findPath, { method: "POST", body: "{}", headers: { authorization: "Bearer operator" } })
    ].map(({ status }) => status)
    assert.deepStrictEqual(statuses, [404, 404, 404])
    assert.deepStrictEqual([...c1, ...c2, ...c3], [])
  })
)

import type { Identity } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { clockSkewHeader, IdentityTokens, identityHeader, wrongCellHeader } from "../identity/IdentityTokens.ts"
import { Lane } from "../sql/Lane.ts"
import { layerTestConfig } from "../testing/layerTestConfig.ts"
import { serveRoutes } from "../testing/serveRoutes.ts"
import { layerIdentity } from "./layerIdentity.ts"
import { metricsWith } from "./metrics.ts"
import { noRequest, RequestId, requestIdHeader } from "./RequestId.ts"

const tokens = IdentityTokens.layer.pipe(Layer.provide(layerTestConfig()))

const lane = Effect.map(Lane, (name) => HttpServerResponse.text(name))

/** Serves routes behind the identity check. Returns the function that sends a request. */
const serveIdentified = Effect.fnUntraced(function* (routes: Layer.Layer<never, never, HttpRouter.HttpRouter>) {
  const url = yield* serveRoutes(Layer.merge(routes, layerIdentity).pipe(Layer.provide(tokens)))
  return (path: string, init?: RequestInit) =>
    Effect.promise(async () => {
      const answer = await fetch(url + path, init)
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    })
})

const headersOf = (identity: Identity) =>
  Effect.map(
    IdentityTokens.use(({ mint }) => mint(identity)),
    (token) => ({ [identityHeader]: token })
  )

it.effect("a call with an expired token is 503 with the clock skew, and one with a wrong token is 401", () =>
  Effect.gen(function* () {
    const send = yield* serveIdentified(HttpRouter.add("*", "/lane", lane))
    const ask = (token: string) => send("/lane", { headers: { [identityHeader]: token } })
    const { [identityHeader]: token } = yield* headersOf({ _tag: "operator" })
    assert.strictEqual((yield* ask(token)).status, 200)
    assert.strictEqual((yield* ask(`${token}x`)).status, 401)
    yield* TestClock.adjust("64 seconds")
    const answer = yield* ask(token)
    assert.deepStrictEqual([answer.status, answer.headers.get(clockSkewHeader)], [503, "64"])
    assert.include(answer.text, "The clocks of two processes differ")
  }).pipe(Effect.provide(tokens), Effect.scoped)
)

it.effect("a call to another cell is 503 and names both, also about readiness, which everybody else may ask for", () =>
  Effect.gen(function* () {
    const ready = HttpRouter.add("GET", "/health/ready", HttpServerResponse.text("ready"))
    const send = yield* serveIdentified(Layer.merge(HttpRouter.add("*", "/lane", lane), ready))
    const { internalSecrets } = yield* ServiceConfig
    const statuses: Array<number> = []
    for (const cell of [undefined, "c1", "c2"]) {
      const token = yield* IdentityTokens.make(internalSecrets, cell).mint({ _tag: "operator" })
      for (const path of ["/lane", "/health/ready"]) {
        const answer = yield* send(path, { headers: { [identityHeader]: token } })
        statuses.push(answer.status)
        if (answer.status === 200) continue
        assert.strictEqual(answer.headers.get(wrongCellHeader), "c1 c2")
        assert.include(answer.text, "A service has CELL=c1, but its caller calls it a service of the cell c2")
      }
    }
    assert.deepStrictEqual(statuses, [200, 200, 200, 200, 503, 503])
    assert.strictEqual((yield* send("/health/ready")).status, 200)
  }).pipe(Effect.provide(layerTestConfig()), Effect.scoped)
)

it.live("the reads of operators are slow reads, and their changes are not", () =>
  Effect.gen(function* () {
    const send = yield* serveIdentified(HttpRouter.add("*", "/lane", lane))
    const ask = (method: string, identity: Identity) =>
      Effect.flatMap(headersOf(identity), (headers) =>
        Effect.map(send("/lane", { method, headers }), ({ text }) => text)
      )
    const operator: Identity = { _tag: "operator" }
    const service: Identity = { _tag: "service", service: "cases" }
    assert.deepStrictEqual(
      yield* Effect.all([ask("GET", operator), ask("POST", operator), ask("GET", service), ask("POST", service)]),
      ["slowReads", "requests", "requests", "requests"]
    )
  }).pipe(Effect.provide(tokens), Effect.scoped)
)

it.live("an identified call is counted by its route", () =>
  Effect.gen(function* () {
    const metrics = HttpRouter.add("GET", "/metrics", metricsWith([]))
    const send = yield* serveIdentified(Layer.merge(HttpRouter.add("GET", "/counted/:id", lane), metrics))
    yield* send("/counted/1", { headers: yield* headersOf({ _tag: "operator" }) })
    assert.include((yield* send("/metrics")).text, 'route="/counted/:id"')
  }).pipe(Effect.provide(tokens), Effect.scoped)
)

it.live("the request id of work without a request is accepted from our own services only", () =>
  Effect.gen(function* () {
    const id = Effect.map(RequestId, (id) => HttpServerResponse.text(id))
    const send = yield* serveIdentified(
      Layer.merge(HttpRouter.add("GET", "/id", id), HttpRouter.add("GET", "/health/id", id))
    )
    const ask = Effect.fnUntraced(function* (path: string, identity: Identity) {
      const headers = { ...(yield* headersOf(identity)), [requestIdHeader]: noRequest }
      return (yield* send(path, { headers })).text
    })
    assert.strictEqual(yield* ask("/id", { _tag: "service", service: "cases" }), noRequest)
    const uuid = /^[0-9a-f-]{36}$/
    assert.match(yield* ask("/id", { _tag: "operator" }), uuid)
    assert.match(yield* ask("/health/id", { _tag: "service", service: "cases" }), uuid)
    const refused = yield* send("/id", { headers: { [requestIdHeader]: noRequest } })
    assert.match(refused.headers.get(requestIdHeader) ?? "", uuid)
  }).pipe(Effect.provide(tokens), Effect.scoped)
)

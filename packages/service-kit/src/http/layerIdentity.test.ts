import type { Identity } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { clockSkewHeader } from "../identity/ClockSkew.ts"
import { IdentityTokens, identityHeader } from "../identity/IdentityTokens.ts"
import { Lane } from "../sql/Lane.ts"
import { layerTestConfig } from "../testing/layerTestConfig.ts"
import { serveRoutes } from "../testing/serveRoutes.ts"
import { layerIdentity } from "./layerIdentity.ts"
import { metricsWith } from "./metrics.ts"
import { noRequest, RequestId, requestIdHeader } from "./RequestId.ts"

const tokens = IdentityTokens.layer.pipe(Layer.provide(layerTestConfig()))

const lane = Effect.map(Lane, (name) => HttpServerResponse.text(name))

it.effect(
  "a call whose caller has another clock is not answered, and told what is wrong, and one with a wrong token is 401",
  () =>
    Effect.gen(function* () {
      const { mint } = yield* IdentityTokens
      const url = yield* serveRoutes(
        Layer.merge(HttpRouter.add("*", "/lane", lane), layerIdentity).pipe(Layer.provide(tokens))
      )
      const ask = (token: string) =>
        Effect.promise(() => fetch(`${url}/lane`, { headers: { [identityHeader]: token } }))
      const token = yield* mint({ _tag: "operator" })
      assert.strictEqual((yield* ask(token)).status, 200)
      assert.strictEqual((yield* ask(`${token}x`)).status, 401)
      yield* TestClock.adjust("64 seconds")
      const answer = yield* ask(token)
      assert.deepStrictEqual([answer.status, answer.headers.get(clockSkewHeader)], [503, "64"])
      assert.include(yield* Effect.promise(() => answer.text()), "The clocks of two processes differ")
    }).pipe(Effect.provide(tokens), Effect.scoped)
)

it.live("what an operator reads is a slow read, and what an operator changes is not", () =>
  Effect.gen(function* () {
    const { mint } = yield* IdentityTokens
    const url = yield* serveRoutes(
      Layer.merge(HttpRouter.add("*", "/lane", lane), layerIdentity).pipe(Layer.provide(tokens))
    )
    const ask = Effect.fnUntraced(function* (method: string, identity: Identity) {
      const headers = { [identityHeader]: yield* mint(identity) }
      return yield* Effect.promise(() => fetch(`${url}/lane`, { method, headers }).then((answer) => answer.text()))
    })
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
    const { mint } = yield* IdentityTokens
    const routes = Layer.merge(
      HttpRouter.add("GET", "/counted/:id", lane),
      HttpRouter.add("GET", "/metrics", metricsWith([]))
    )
    const url = yield* serveRoutes(Layer.merge(routes, layerIdentity).pipe(Layer.provide(tokens)))
    const headers = { [identityHeader]: yield* mint({ _tag: "operator" }) }
    yield* Effect.promise(() => fetch(`${url}/counted/1`, { headers }))
    const counted = yield* Effect.promise(() => fetch(`${url}/metrics`).then((answer) => answer.text()))
    assert.include(counted, 'route="/counted/:id"')
  }).pipe(Effect.provide(tokens), Effect.scoped)
)

it.live("that no request caused a call is believed of our own services, and of no caller", () =>
  Effect.gen(function* () {
    const { mint } = yield* IdentityTokens
    const id = Effect.map(RequestId, (id) => HttpServerResponse.text(id))
    const url = yield* serveRoutes(
      Layer.mergeAll(HttpRouter.add("GET", "/id", id), HttpRouter.add("GET", "/health/id", id), layerIdentity).pipe(
        Layer.provide(tokens)
      )
    )
    const ask = Effect.fnUntraced(function* (path: string, identity: Identity) {
      const headers = { [identityHeader]: yield* mint(identity), [requestIdHeader]: noRequest }
      return yield* Effect.promise(() => fetch(url + path, { headers }).then((answer) => answer.text()))
    })
    assert.strictEqual(yield* ask("/id", { _tag: "service", service: "cases" }), noRequest)
    const uuid = /^[0-9a-f-]{36}$/
    assert.match(yield* ask("/id", { _tag: "operator" }), uuid)
    assert.match(yield* ask("/health/id", { _tag: "service", service: "cases" }), uuid)
    const refused = yield* Effect.promise(() => fetch(`${url}/id`, { headers: { [requestIdHeader]: noRequest } }))
    assert.match(refused.headers.get(requestIdHeader) ?? "", uuid)
  }).pipe(Effect.provide(tokens), Effect.scoped)
)

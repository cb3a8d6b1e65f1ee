import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { layerBoundary } from "./layerBoundary.ts"
import { layerServer } from "./layerServer.ts"

const config = Layer.succeed(ServiceConfig, {
  name: "test",
  port: 0,
  isProduction: false,
  internalSecret: Redacted.make("secret"),
  otlpEndpoint: undefined
})

const run = <E>(routes: Layer.Layer<never, E, HttpRouter.HttpRouter>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const served = HttpRouter.serve(Layer.merge(routes, layerBoundary({ accessLog: "none" })), {
      disableLogger: true,
      disableListenLog: true
    }).pipe(Layer.provideMerge(layerServer), Layer.provide(config))
    const context = yield* Layer.buildWithScope(served, scope)
    const { address } = Context.get(context, HttpServer.HttpServer)
    return { scope, url: `http://127.0.0.1:${"port" in address ? address.port : 0}` }
  })

it.live("a shutdown finishes the request in flight, and takes no new one", () =>
  Effect.gen(function* () {
    const arrived = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const slow = Effect.andThen(
      Deferred.succeed(arrived, undefined),
      Effect.as(Deferred.await(gate), HttpServerResponse.text("finished"))
    )
    const { scope, url } = yield* run(HttpRouter.add("GET", "/slow", slow))
    const request = yield* Effect.forkChild(Effect.promise(() => fetch(`${url}/slow`).then((answer) => answer.text())))
    yield* Deferred.await(arrived)
    const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    const refused = Effect.promise(() =>
      fetch(`${url}/slow`).then(
        () => "answered",
        () => "refused"
      )
    )
    assert.strictEqual(yield* Effect.repeat(refused, { until: (outcome) => outcome === "refused" }), "refused")
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Fiber.join(request), "finished")
    yield* Fiber.join(closing)
  })
)

it.live("an unknown path is 404 and a defect 500, both with a body, and the defect shows nothing of itself", () =>
  Effect.gen(function* () {
    const { scope, url } = yield* run(HttpRouter.add("GET", "/broken", Effect.die(new Error("the secret inside"))))
    const ask = (path: string) => Effect.promise(() => fetch(`${url}${path}`))
    const missing = yield* ask("/nothing")
    assert.deepStrictEqual(
      [missing.status, yield* Effect.promise(() => missing.json())],
      [404, { status: 404, success: false, error: "Not found" }]
    )
    const broken = yield* ask("/broken")
    const text = yield* Effect.promise(() => broken.text())
    assert.strictEqual(broken.status, 500)
    assert.notInclude(text, "secret")
    assert.strictEqual(JSON.parse(text).requestId, broken.headers.get("x-request-id"))
    yield* Scope.close(scope, Exit.void)
  })
)

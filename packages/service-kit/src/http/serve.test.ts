import { once } from "node:events"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { connection, exchange, rawRequest, untilClosed } from "../testing/rawHttp.ts"
import { freePort } from "../testing/serveListener.ts"
import { serveRoutes } from "../testing/serveRoutes.ts"
import { layerHealth } from "./layerHealth.ts"
import { LingerMillis } from "./serveApp.ts"

const ask = (url: string) => Effect.promise(() => fetch(url))

it.live("the port is closed until everything behind the routes is built, and then every request is answered", () =>
  Effect.gen(function* () {
    const isBuilding = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const slowPart = Layer.effectDiscard(Effect.andThen(Deferred.succeed(isBuilding, undefined), Deferred.await(gate)))
    const port = yield* freePort
    const routes = Layer.merge(HttpRouter.add("GET", "/here", HttpServerResponse.text("answered")), slowPart)
    const serving = yield* Effect.forkChild(serveRoutes(routes, { port }))
    yield* Deferred.await(isBuilding)
    const early = yield* Effect.promise(() =>
      fetch(`http://127.0.0.1:${port}/here`, { signal: AbortSignal.timeout(2000) }).then(
        () => "answered",
        ({ cause }) => cause?.code
      )
    )
    assert.strictEqual(early, "ECONNREFUSED")
    yield* Deferred.succeed(gate, undefined)
    const url = yield* Fiber.join(serving)
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () =>
        Effect.flatMap(ask(`${url}/here`), (answer) => Effect.promise(() => answer.text()))
      ),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      answers,
      Array.from({ length: 20 }, () => "answered")
    )
  })
)

it.live("a server does not listen to the terminal, of which a process with many servers has one", () =>
  Effect.gen(function* () {
    const before = process.stdin.listenerCount("end")
    yield* serveRoutes(Layer.empty)
    assert.strictEqual(process.stdin.listenerCount("end"), before)
  })
)

it.live("a port in use fails with one sentence", () =>
  Effect.gen(function* () {
    const url = yield* serveRoutes(Layer.empty)
    const failure = yield* Effect.flip(serveRoutes(Layer.empty, { port: Number(new URL(url).port) }))
    assert.match(
      String(failure),
      /^BootError: The port cannot be used \(listen EADDRINUSE.*\): stop what listens there/
    )
  })
)

it.live("a shutdown finishes the request in flight, and accepts no new one", () =>
  Effect.gen(function* () {
    const arrived = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const slow = Effect.andThen(
      Deferred.succeed(arrived, undefined),
      Effect.as(Deferred.await(gate), HttpServerResponse.text("finished"))
    )
    const scope = yield* Scope.make()
    const url = yield* Scope.provide(serveRoutes(HttpRouter.add("GET", "/slow", slow)), scope)
    const request = yield* Effect.forkChild(Effect.promise(() => fetch(`${url}/slow`).then((answer) => answer.text())))
    yield* Deferred.await(arrived)
    const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    // A request that is still accepted is answered at once.
    const refused = Effect.promise(() =>
      fetch(`${url}/other`).then(
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

it.live("a shutdown answers what comes on an open connection, and ends the connection with the answer", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const url = yield* serveRoutes(HttpRouter.add("GET", "/here", HttpServerResponse.text("answered"))).pipe(
      Scope.provide(scope),
      // Only an answer ends a connection before the test is over.
      Effect.provideService(LingerMillis, () => 60_000)
    )
    const socket = yield* connection(url)
    const all = yield* Effect.forkChild(untilClosed(socket))
    const send = Effect.sync(() => socket.write("GET /here HTTP/1.1\r\nhost: here\r\n\r\n"))
    yield* send
    yield* Effect.promise(() => once(socket, "data"))
    const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    const refused = Effect.promise(() =>
      fetch(`${url}/here`).then(
        () => false,
        () => true
      )
    )
    yield* Effect.repeat(refused, { until: (isRefused) => isRefused })
    yield* send
    const [first = "", second = ""] = (yield* Fiber.join(all)).split(/(?<=answered)/)
    assert.match(first, /^HTTP\/1\.1 200 [\s\S]*connection: keep-alive/i)
    assert.match(second, /^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*answered$/i)
    yield* Fiber.join(closing)
  }).pipe(Effect.scoped)
)

it.live("an unknown path is 404 and a defect 500, both with a body, and the defect shows nothing of itself", () =>
  Effect.gen(function* () {
    const url = yield* serveRoutes(HttpRouter.add("GET", "/broken", Effect.die(new Error("the secret inside"))))
    const missing = yield* ask(`${url}/nothing`)
    assert.deepStrictEqual(
      [missing.status, yield* Effect.promise(() => missing.json())],
      [404, { status: 404, success: false, error: "Not found" }]
    )
    const broken = yield* ask(`${url}/broken`)
    const text = yield* Effect.promise(() => broken.text())
    assert.strictEqual(broken.status, 500)
    assert.include(text, "Internal server error")
    assert.notInclude(text, "secret")
    assert.strictEqual(JSON.parse(text).requestId, broken.headers.get("x-request-id"))
    for (const { headers } of [missing, broken]) assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
  })
)

it.live("a path of any length is matched literally, and the query begins at the question mark", () =>
  Effect.gen(function* () {
    const show = Effect.gen(function* () {
      const { id } = yield* HttpRouter.params
      return HttpServerResponse.text(`[${id}]`)
    })
    const url = yield* serveRoutes(HttpRouter.add("GET", "/things/:id/parts", show))
    const long = "x".repeat(5000)
    const parts: ReadonlyArray<readonly [string, string]> = [
      ["seven", "seven"],
      [long, long],
      ["a;b=c", "a;b=c"],
      ["a#b", "a#b"],
      ["a%3Bb", "a;b"],
      ["a%20b%2Fc", "a b/c"],
      ["50%", "50%"],
      ["%ff", "%ff"]
    ]
    for (const [sent, expected] of parts) {
      for (const query of ["", "?x=1;y=2#z%"]) {
        assert.include(
          yield* exchange(url, rawRequest("GET", `/things/${sent}/parts${query}`)),
          `\r\n\r\n[${expected}]`
        )
      }
    }
    for (const target of ["/things/7/parts;x=y", "/things/7/parts#x"]) {
      assert.include(yield* exchange(url, rawRequest("GET", target)), "HTTP/1.1 404")
    }
  })
)

it.live("parallel readiness requests share a check, and later ones see a change", () =>
  Effect.gen(function* () {
    let checks = 0
    let isUp = true
    const check = Effect.suspend(() => {
      checks += 1
      return Effect.delay(Effect.succeed(isUp), "20 millis")
    })
    const url = yield* serveRoutes(layerHealth({ database: check }))
    const ask = Effect.promise(() => fetch(`${url}/health/ready`).then(({ status }) => status))
    const statuses = yield* Effect.replicateEffect(ask, 100, { concurrency: "unbounded" })
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
    assert.isBelow(checks, 50)
    isUp = false
    assert.strictEqual(yield* Effect.repeat(ask, { until: (status) => status !== 200 }), 503)
  })
)

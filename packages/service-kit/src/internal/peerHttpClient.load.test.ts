import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { HttpClient, HttpClientResponse, HttpRouter, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { isUnavailable } from "../http/isUnavailable.ts"
import { IdentityTokens } from "../identity/IdentityTokens.ts"
import { layerTestConfig } from "../testing/layerTestConfig.ts"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { serveRoutes } from "../testing/serveRoutes.ts"
import { layerHttpClient } from "./layerHttpClient.ts"
import { peerHttpClient } from "./peerHttpClient.ts"

const layerPeers = Layer.merge(IdentityTokens.layer, layerHttpClient).pipe(Layer.provideMerge(layerTestConfig()))

const peerThatAnswers = Effect.fnUntraced(function* (statuses: ReadonlyArray<number>) {
  let asked = 0
  const answer = Effect.sync(() => {
    const status = statuses[Math.min(asked, statuses.length - 1)] ?? 200
    asked += 1
    return HttpServerResponse.jsonUnsafe({}, { status })
  })
  const client = yield* peerHttpClient("auth", yield* serveRoutes(HttpRouter.add("GET", "/thing", answer)))
  return { asked: () => asked, ask: Effect.exit(client.get("/thing")) }
})

const isPeerUnavailable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.hasDies(exit.cause) && isUnavailable(Cause.squash(exit.cause))

// They wait, each for peers of its own.
describe.concurrent("a peer", () => {
  it.live("a peer that keeps answering 5xx is unavailable, which is a 503 and no defect of the caller", () =>
    Effect.gen(function* () {
      const refuses = Effect.fnUntraced(function* (status: number) {
        const { ask, asked } = yield* peerThatAnswers([status])
        assert.isTrue(isPeerUnavailable(yield* ask))
        assert.strictEqual(asked(), 3)
      })
      yield* Effect.forEach([500, 502, 503, 504], refuses, { concurrency: "unbounded" })
    }).pipe(Effect.provide(layerPeers))
  )

  it.live("a 5xx that passes is not noticed, and other statuses are answers", () =>
    Effect.gen(function* () {
      for (const statuses of [[500, 503, 200], [404]]) {
        const exit = yield* (yield* peerThatAnswers(statuses)).ask
        assert.strictEqual(Exit.isSuccess(exit) ? exit.value.status : 0, statuses.at(-1))
      }
    }).pipe(Effect.provide(layerPeers))
  )

  it.live("a peer that breaks over some calls is still asked the next ones", () =>
    Effect.gen(function* () {
      const { ask, asked } = yield* peerThatAnswers([500])
      yield* Effect.replicateEffect(ask, 6)
      assert.strictEqual(asked(), 18)
    }).pipe(Effect.provide(layerPeers))
  )
})

const called: Array<string> = []

const peer = HttpClient.make((request, url) =>
  Effect.sync(() => {
    called.push(url.pathname)
    return HttpClientResponse.fromWeb(request, new Response("fine"))
  })
)

const TestLayer = Layer.mergeAll(
  IdentityTokens.layer,
  Layer.succeed(HttpClient.HttpClient, peer),
  layerTestDatabase("cases")
).pipe(Layer.provideMerge(layerTestConfig()))

layer(TestLayer, { excludeTestServices: true })("peerHttpClient", (it) => {
  it.effect("calls another service, and refuses to inside a transaction, however deep", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const client = yield* peerHttpClient("auth", "http://peer")
      assert.strictEqual((yield* client.get("/outside")).status, 200)

      const inside = Effect.all([sql`SELECT 1`, client.get("/inside")])
      for (const attempt of [inside, sql.withTransaction(inside)]) {
        const exit = yield* Effect.exit(sql.withTransaction(attempt))
        const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.instanceOf(failure, Error)
        assert.include(failure.message, "The auth service was called inside a database transaction")
      }

      yield* sql.withTransaction(sql`SELECT 1`)
      assert.strictEqual((yield* client.get("/after")).status, 200)
      assert.deepStrictEqual(called, ["/outside", "/after"])
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { IdentityTokens } from "../identity/IdentityTokens.ts"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { peerHttpClient } from "./peerHttpClient.ts"

const called: Array<string> = []

const peer = HttpClient.make((request, url) =>
  Effect.sync(() => {
    called.push(url.pathname)
    return HttpClientResponse.fromWeb(request, new Response("fine"))
  })
)

const config = Layer.succeed(ServiceConfig, {
  name: "test",
  port: 0,
  isProduction: false,
  internalSecret: Redacted.make("secret"),
  otlpEndpoint: undefined
})

const TestLayer = Layer.mergeAll(
  IdentityTokens.layer,
  Layer.succeed(HttpClient.HttpClient, peer),
  layerTestDatabase("cases")
).pipe(Layer.provideMerge(config))

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

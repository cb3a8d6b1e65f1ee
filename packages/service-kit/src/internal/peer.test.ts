import { OrganizationId } from "@care/domain/ids"
import { assert, it, layer } from "@effect/vitest"
import { Cause, type Duration, Effect, Exit, Fiber, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { isUnavailable } from "../http/defectError.ts"
import { IdentityTokens, identityHeader } from "../identity/IdentityTokens.ts"
import { SandboxReset, sandboxResetHeader } from "../sql/requireNotReset.ts"
import { layerTestConfig } from "../testing/layerTestConfig.ts"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { TestOrganization } from "../time/Time.ts"
import { type PeerCalls, peerHttpClient } from "./peer.ts"

type Answer =
  | "lost"
  | { readonly after: Duration.Input; readonly status: number; readonly headers?: Readonly<Record<string, string>> }

/** Makes a client of a peer with these answers, in order. `outcome` returns the status of a call within a minute, or "unavailable". */
const peerThatAnswers = Effect.fnUntraced(function* (answers: ReadonlyArray<Answer>, calls?: PeerCalls) {
  let attempts = 0
  const httpClient = HttpClient.make((request) =>
    Effect.suspend(() => {
      const answer = answers[attempts] ?? assert.fail("too many calls")
      attempts += 1
      if (answer === "lost") {
        return Effect.fail(
          new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request }) })
        )
      }
      const response = HttpClientResponse.fromWeb(request, new Response(null, answer))
      return Effect.delay(Effect.succeed(response), answer.after)
    })
  )
  const client = yield* peerHttpClient("payments", "http://peer", calls).pipe(
    Effect.provide(IdentityTokens.layer.pipe(Layer.provideMerge(layerTestConfig()))),
    Effect.provideService(HttpClient.HttpClient, httpClient)
  )
  const outcomeWithin = Effect.fnUntraced(function* (time: Duration.Input) {
    const asking = yield* Effect.forkChild(Effect.exit(client.get("/thing")))
    yield* TestClock.adjust(time)
    const exit = yield* Fiber.join(asking)
    if (Exit.isSuccess(exit)) return exit.value.status
    return isUnavailable(Cause.squash(exit.cause)) ? "unavailable" : assert.fail(Cause.pretty(exit.cause))
  })
  return { attempts: () => attempts, client, outcome: outcomeWithin("1 minute"), outcomeWithin }
})

it.effect("has 3 seconds, three times, and 12 seconds, once, if it calls a third party", () =>
  Effect.gen(function* () {
    for (const [after, calls, outcome, attempts] of [
      ["2900 millis", {}, 204, 1],
      ["3100 millis", {}, "unavailable", 3],
      ["11900 millis", { callsThirdParty: true }, 204, 1],
      ["12100 millis", { callsThirdParty: true }, "unavailable", 1]
    ] as const) {
      const peer = yield* peerThatAnswers(
        Array.from({ length: 3 }, () => ({ after, status: 204 })),
        calls
      )
      assert.deepStrictEqual([yield* peer.outcome, peer.attempts()], [outcome, attempts], after)
    }
  })
)

it.effect("is told for which sandbox organization a fiber works", () =>
  Effect.gen(function* () {
    const tokens = yield* IdentityTokens
    const identities: Array<unknown> = []
    const httpClient = HttpClient.make((request) =>
      Effect.map(Effect.orDie(tokens.verify(request.headers[identityHeader])), (identity) => {
        identities.push(identity)
        return HttpClientResponse.fromWeb(request, new Response(null, { status: 204 }))
      })
    )
    const client = yield* Effect.provideService(
      peerHttpClient("payments", "http://peer"),
      HttpClient.HttpClient,
      httpClient
    )
    const organizationId = OrganizationId.make("3b241101-e2bb-4255-8caf-4136c566a962")
    yield* Effect.provideService(client.get("/thing"), TestOrganization, { organizationId, aheadMillis: 1, resets: 2 })
    yield* client.get("/thing")
    const service = { _tag: "service", service: "test" }
    assert.deepStrictEqual(identities, [{ ...service, testOrganizationId: organizationId, testResets: 2 }, service])
  }).pipe(Effect.provide(IdentityTokens.layer.pipe(Layer.provideMerge(layerTestConfig()))))
)

it.effect("that calls a third party is retried if it was not reached, within 12 seconds, and not if it failed", () =>
  Effect.gen(function* () {
    for (const [answers, outcome, attempts] of [
      [["lost", "lost", { after: "11 seconds", status: 204 }], 204, 3],
      [["lost", { after: "12 seconds", status: 204 }], "unavailable", 2],
      [["lost", "lost", "lost"], "unavailable", 3],
      [[{ after: "1 second", status: 503 }], "unavailable", 1],
      [[{ after: "1 second", status: 500 }], "unavailable", 1]
    ] as const) {
      const peer = yield* peerThatAnswers(answers, { callsThirdParty: true })
      assert.deepStrictEqual([yield* peer.outcome, peer.attempts()], [outcome, attempts])
    }
  })
)

const answersOf = (statuses: ReadonlyArray<number>) => statuses.map((status) => ({ after: 0, status }))

it.effect("that fails three times with 5xx is unavailable, which is a 503, and other statuses are answers", () =>
  Effect.gen(function* () {
    for (const [statuses, outcome] of [
      ...[500, 502, 503, 504].map((status) => [[status, status, status], "unavailable"] as const),
      [[500, 503, 200], 200],
      [[404], 404]
    ] as const) {
      const peer = yield* peerThatAnswers(answersOf(statuses))
      assert.deepStrictEqual([yield* peer.outcome, peer.attempts()], [outcome, statuses.length])
    }
  })
)

it.effect("that tells that the sandbox was reset is not asked again, and the caller ends as the peer did", () =>
  Effect.gen(function* () {
    const headers = { [sandboxResetHeader]: "true" }
    for (const status of [500, 503]) {
      const peer = yield* peerThatAnswers([{ after: 0, status, headers }])
      const exit = yield* Effect.exit(peer.client.get("/thing"))
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof SandboxReset)
      assert.strictEqual(peer.attempts(), 1)
    }
  })
)

it.effect("that answers some calls with 500 is still called", () =>
  Effect.gen(function* () {
    const peer = yield* peerThatAnswers(answersOf(Array(18).fill(500)))
    yield* Effect.replicateEffect(peer.outcomeWithin("160 millis"), 6)
    assert.strictEqual(peer.attempts(), 18)
  })
)

layer(layerTestDatabase("cases"), { excludeTestServices: true })("a peer inside a transaction", (it) => {
  it.effect("is not called, however deep the transaction is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { attempts, client } = yield* peerThatAnswers(answersOf([200, 200]))
      const call = Effect.map(client.get("/thing"), ({ status }) => status)
      assert.strictEqual(yield* call, 200)
      const inside = Effect.all([sql`SELECT 1`, call])
      for (const attempt of [inside, sql.withTransaction(inside)]) {
        const exit = yield* Effect.exit(sql.withTransaction(attempt))
        assert.include(String(exit), "The payments service was called inside a database transaction")
      }
      yield* sql.withTransaction(sql`SELECT 1`)
      assert.strictEqual(yield* call, 200)
      assert.strictEqual(attempts(), 2)
    })
  )
})

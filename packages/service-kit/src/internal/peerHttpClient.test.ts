import { assert, it } from "@effect/vitest"
import { Cause, type Duration, Effect, Exit, Fiber, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { isUnavailable } from "../http/isUnavailable.ts"
import { IdentityTokens } from "../identity/IdentityTokens.ts"
import { layerTestConfig } from "../testing/layerTestConfig.ts"
import { type PeerCalls, peerHttpClient } from "./peerHttpClient.ts"

type Answer = "lost" | { readonly after: Duration.Input; readonly status: number }

/** A client of a peer that gives these answers, one after the other, and what a call of it comes to within a minute. */
const peerThatAnswers = Effect.fnUntraced(function* (answers: ReadonlyArray<Answer>, calls?: PeerCalls) {
  let asked = 0
  const httpClient = HttpClient.make((request) =>
    Effect.suspend(() => {
      const answer = answers[asked] ?? assert.fail("asked too often")
      asked += 1
      if (answer === "lost") {
        return Effect.fail(
          new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request }) })
        )
      }
      const response = HttpClientResponse.fromWeb(request, new Response(null, { status: answer.status }))
      return Effect.delay(Effect.succeed(response), answer.after)
    })
  )
  const client = yield* peerHttpClient("payments", "http://peer", calls).pipe(
    Effect.provide(IdentityTokens.layer.pipe(Layer.provideMerge(layerTestConfig()))),
    Effect.provideService(HttpClient.HttpClient, httpClient)
  )
  const outcome = Effect.gen(function* () {
    const asking = yield* Effect.forkChild(Effect.exit(client.get("/thing")))
    yield* TestClock.adjust("1 minute")
    const exit = yield* Fiber.join(asking)
    if (Exit.isSuccess(exit)) return exit.value.status
    return isUnavailable(Cause.squash(exit.cause)) ? "unavailable" : assert.fail(Cause.pretty(exit.cause))
  })
  return { asked: () => asked, outcome }
})

it.effect("is waited for 3 seconds, three times, and for 12 seconds, once, when it asks others", () =>
  Effect.gen(function* () {
    for (const [after, calls, outcome, asked] of [
      ["2900 millis", {}, 204, 1],
      ["3100 millis", {}, "unavailable", 3],
      ["11900 millis", { callsThirdParty: true }, 204, 1],
      ["12100 millis", { callsThirdParty: true }, "unavailable", 1]
    ] as const) {
      const peer = yield* peerThatAnswers(
        Array.from({ length: 3 }, () => ({ after, status: 204 })),
        calls
      )
      assert.deepStrictEqual([yield* peer.outcome, peer.asked()], [outcome, asked], after)
    }
  })
)

it.effect(
  "that asks others is asked again when it was never reached, within the same 12 seconds, and not when it failed",
  () =>
    Effect.gen(function* () {
      for (const [answers, outcome, asked] of [
        [["lost", "lost", { after: "11 seconds", status: 204 }], 204, 3],
        [["lost", { after: "12 seconds", status: 204 }], "unavailable", 2],
        [["lost", "lost", "lost"], "unavailable", 3],
        [[{ after: "1 second", status: 503 }], "unavailable", 1],
        [[{ after: "1 second", status: 500 }], "unavailable", 1]
      ] as const) {
        const peer = yield* peerThatAnswers(answers, { callsThirdParty: true })
        assert.deepStrictEqual([yield* peer.outcome, peer.asked()], [outcome, asked])
      }
    })
)

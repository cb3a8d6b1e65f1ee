import { randomUUID } from "node:crypto"
import { CaseId, OrganizationId } from "@care/domain/ids"
import { IdentityTokens } from "@care/service-kit"
import { layerTestConfig } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { type Duration, Effect, Exit, Fiber, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { PaymentPreparations } from "./PaymentPreparations.ts"

/** Makes a peer that takes this long to prepare a payment, and counts its calls. */
const slowPayments = Effect.fnUntraced(function* (duration: Duration.Input) {
  const calls = { prepare: 0, release: 0 }
  const payments = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const isPreparing = url.pathname.endsWith("/prepare")
      calls[isPreparing ? "prepare" : "release"] += 1
      yield* Effect.sleep(isPreparing ? duration : "20 millis")
      const answer = isPreparing ? Response.json({ discount: null }) : new Response(null, { status: 204 })
      return HttpClientResponse.fromWeb(request, answer)
    })
  )
  const preparations = yield* Effect.provide(
    PaymentPreparations,
    Layer.fresh(PaymentPreparations.layer).pipe(
      Layer.provide([IdentityTokens.layer, Layer.succeed(HttpClient.HttpClient, payments)]),
      Layer.provide(layerTestConfig({ name: "cases" }))
    )
  )
  const prepare = Effect.suspend(() =>
    preparations.prepare({
      organizationId: OrganizationId.make(randomUUID()),
      caseId: CaseId.make(randomUUID()),
      amount: "299.99",
      currency: "USD",
      description: null,
      providerReference: { type: "PAYMENT_INTENT", id: "pi_1" },
      setupIntentId: null,
      discounts: { whole: null, products: [] }
    })
  ).pipe(
    Effect.andThen(({ beforeStore }) => beforeStore),
    Effect.scoped,
    Effect.exit
  )
  return { calls, prepare }
})

const minuteOf = Effect.fnUntraced(function* <A>(effect: Effect.Effect<A>) {
  const fiber = yield* Effect.forkChild(effect)
  yield* TestClock.adjust("1 minute")
  return yield* Fiber.join(fiber)
})

it.effect("a payment is prepared once, also when payments waits for its gateway as long as it may", () =>
  Effect.gen(function* () {
    // Two attempts of 5 seconds, and the pause between them.
    const { calls, prepare } = yield* slowPayments("10.6 seconds")
    assert.isTrue(Exit.isSuccess(yield* minuteOf(prepare)))
    assert.deepStrictEqual(calls, { prepare: 1, release: 0 })
  })
)

it.effect("ten preparations that take too long are requested once each, and released", () =>
  Effect.gen(function* () {
    const { calls, prepare } = yield* slowPayments("1 hour")
    const exits = yield* minuteOf(Effect.replicateEffect(prepare, 10, { concurrency: "unbounded" }))
    assert.isFalse(exits.some(Exit.isSuccess))
    assert.deepStrictEqual(calls, { prepare: 10, release: 10 })
  })
)

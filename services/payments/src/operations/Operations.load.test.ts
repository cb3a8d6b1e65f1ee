import { PaymentOperationPending } from "@care/domain/payments"
import { PeerUnavailable } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { heldPayment } from "../../test/heldPayment.ts"
import { capture, layerOperations, refund, release, settle, shown } from "../../test/operations.ts"
import { TestStripe } from "../../test/testStripe.ts"

// Of each kind of trouble at each step; an answer that does not come is waited for half a second.
layer(layerOperations, { excludeTestServices: true, timeout: "60 seconds" })("Operations in trouble", (it) => {
  const kinds = {
    capture: { path: "/v1/payment_intents/*/capture", perform: capture, before: "AUTHORIZED", after: "PAID" },
    release: { path: "/v1/payment_intents/*/cancel", perform: release, before: "AUTHORIZED", after: "CANCELED" },
    refund: { path: "/v1/refunds", perform: refund, before: "PAID", after: "REFUND" }
  } as const
  const troubles = ["timeOutBefore", "timeOutAfter", "hangUpBefore", "hangUpAfter", "failAfter", "rateLimit"] as const

  for (const [name, { after, before, path, perform }] of Object.entries(kinds)) {
    for (const does of troubles) {
      it.effect(`${does} of a ${name}: nobody knows, and it ends as the gateway says`, () =>
        Effect.gen(function* () {
          const held = yield* heldPayment("10")
          const { control, impatiently } = yield* TestStripe
          if (name === "refund") yield* capture(held)
          yield* control.addTrouble({ method: "POST", path, does, times: 2 })
          const exit = yield* impatiently(Effect.exit(perform(held)))
          yield* control.clearTroubles
          assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), PeerUnavailable)
          assert.deepInclude(yield* shown(held), { status: before })
          assert.strictEqual((yield* shown(held)).operation?.name, name.toUpperCase())
          assert.instanceOf(yield* Effect.flip(perform(held)), PaymentOperationPending)

          const hasHappened = does.endsWith("After")
          yield* settle(held)
          assert.deepInclude(yield* shown(held), { status: hasHappened ? after : before, operation: null })
          yield* hasHappened ? Effect.flip(perform(held)) : perform(held)
          const { gateway, status } = yield* shown(held)
          assert.strictEqual(status, after)
          const money = { capture: [10, 0], release: [0, 0], refund: [10, 10] }[name]
          assert.deepStrictEqual([gateway?.received, gateway?.refunded], money)
        })
      )
    }
  }
})

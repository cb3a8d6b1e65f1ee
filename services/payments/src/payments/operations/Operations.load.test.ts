import { PaymentOperationPending } from "@care/domain/payments"
import { PeerUnavailable } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { authorizedPayment } from "../../../test/authorizedPayment.ts"
import { capture, layerOperations, refund, release, settle, shown } from "../../../test/operations.ts"
import { TestStripe } from "../../../test/testStripe.ts"

// Every kind of trouble at every step. The client's timeout is half a second.
layer(layerOperations, { excludeTestServices: true, timeout: "60 seconds" })("Operations in trouble", (it) => {
  const kinds = {
    capture: {
      path: "/v1/payment_intents/*/capture",
      perform: capture,
      before: "AUTHORIZED",
      after: "PAID",
      money: [10, 0]
    },
    release: {
      path: "/v1/payment_intents/*/cancel",
      perform: release,
      before: "AUTHORIZED",
      after: "CANCELED",
      money: [0, 0]
    },
    refund: { path: "/v1/refunds", perform: refund, before: "PAID", after: "REFUND", money: [10, 10] }
  } as const
  const troubles = ["timeOutBefore", "timeOutAfter", "hangUpBefore", "hangUpAfter", "rateLimit"] as const

  for (const [name, { after, before, money, path, perform }] of Object.entries(kinds)) {
    for (const does of troubles) {
      it.effect(`${does} of a ${name}: the outcome is unknown, and the job settles it by the gateway's state`, () =>
        Effect.gen(function* () {
          const payment = yield* authorizedPayment("10")
          const { control, withShortTimeout } = yield* TestStripe
          if (name === "refund") yield* capture(payment)
          yield* control.addTrouble({ method: "POST", path, does, times: 2 })
          const exit = yield* withShortTimeout(Effect.exit(perform(payment)))
          yield* control.clearTroubles
          assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), PeerUnavailable)
          assert.deepInclude(yield* shown(payment), { status: before })
          assert.strictEqual((yield* shown(payment)).operation?.name, name.toUpperCase())
          assert.instanceOf(yield* Effect.flip(perform(payment)), PaymentOperationPending)

          const hasHappened = does.endsWith("After")
          yield* settle(payment)
          assert.deepInclude(yield* shown(payment), { status: hasHappened ? after : before, operation: null })
          yield* hasHappened ? Effect.flip(perform(payment)) : perform(payment)
          const { gateway, status } = yield* shown(payment)
          assert.strictEqual(status, after)
          assert.deepStrictEqual([gateway?.received, gateway?.refunded], [...money])
        })
      )

      it.effect(`${does} of a ${name}: a repetition 2 seconds later is the same operation, and takes effect once`, () =>
        Effect.gen(function* () {
          const payment = yield* authorizedPayment("10")
          const { control, withShortTimeout } = yield* TestStripe
          const sql = yield* SqlClient.SqlClient
          if (name === "refund") yield* capture(payment)
          yield* control.forgetRequests
          yield* control.addTrouble({ method: "POST", path, does, times: 2 })
          yield* withShortTimeout(Effect.exit(perform(payment)))
          yield* control.clearTroubles
          yield* sql`
            UPDATE payments SET operation_since = operation_since - interval '3 seconds' WHERE id = ${payment.id}
          `
          if (name !== "release") assert.instanceOf(yield* Effect.flip(perform(payment, 1)), PaymentOperationPending)
          const other = name === "release" ? capture(payment) : release(payment)
          assert.instanceOf(yield* Effect.flip(other), PaymentOperationPending)
          yield* perform(payment)
          const { gateway, operation, status } = yield* shown(payment)
          assert.deepStrictEqual([status, operation], [after, null])
          assert.deepStrictEqual([gateway?.received, gateway?.refunded], [...money])
          const posts = (yield* control.requests).filter(({ method }) => method === "POST")
          assert.lengthOf([...new Set(posts.map(({ idempotencyKey }) => idempotencyKey))], 1)
        })
      )
    }

    for (const does of ["failBefore", "failAfter"] as const) {
      it.effect(
        `${does} of a ${name}: the gateway replays failures, so the result is searched and the call made anew, once`,
        () =>
          Effect.gen(function* () {
            const payment = yield* authorizedPayment("10")
            const { control } = yield* TestStripe
            if (name === "refund") yield* capture(payment)
            yield* control.addTrouble({ method: "POST", path, does, times: 2 })
            yield* perform(payment)
            yield* control.clearTroubles
            const { gateway, operation, status } = yield* shown(payment)
            assert.deepStrictEqual([status, operation], [after, null])
            assert.deepStrictEqual([gateway?.received, gateway?.refunded], [...money])
          })
      )
    }

    it.effect(`a ${name} that the gateway fails again and again ends, and works as soon as the gateway does`, () =>
      Effect.gen(function* () {
        const payment = yield* authorizedPayment("10")
        const { control } = yield* TestStripe
        if (name === "refund") yield* capture(payment)
        yield* control.addTrouble({ method: "POST", path, does: "failBefore", times: 100 })
        for (let request = 0; request < 3; request += 1) {
          const exit = yield* Effect.exit(perform(payment))
          assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), PeerUnavailable)
          assert.deepInclude(yield* shown(payment), { status: before, operation: null })
        }
        yield* control.clearTroubles
        yield* perform(payment)
        const { gateway, status } = yield* shown(payment)
        assert.strictEqual(status, after)
        assert.deepStrictEqual([gateway?.received, gateway?.refunded], [...money])
      })
    )
  }
})

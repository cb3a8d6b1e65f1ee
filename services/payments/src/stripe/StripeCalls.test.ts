import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"

import { serveListener } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type StripeClient from "stripe"
import { hasUnknownOutcome, layerTestStripe, TestStripe } from "../../test/testStripe.ts"
import { findByOperationId } from "./findByOperationId.ts"
import { Stripe, StripeFailed } from "./Stripe.ts"
import { type StripeCall, StripeCalls } from "./StripeCalls.ts"
import { StripeSettings } from "./StripeSettings.ts"

const layerCalls = layerTestStripe.pipe(Layer.provideMerge(layerAuditedDatabase("payments")))

const path = "/v1/customers"

// An operation that creates one customer, with the operation in its metadata.
const newOperation = Effect.gen(function* () {
  const stripe = yield* Stripe
  const { client, control } = yield* TestStripe
  const sql = yield* SqlClient.SqlClient
  const organizationId = OrganizationId.make(randomUUID())
  const operation = `customer-${randomUUID()}`
  const call: StripeCall<StripeClient.Customer> = {
    organizationId,
    operation,
    name: "customers.create",
    call: ({ customers }, key) => customers.create({ metadata: { operationId: operation } }, key),
    look: ({ since }) =>
      findByOperationId(stripe, organizationId, "customers.list", operation, ({ customers }) =>
        customers.list({ created: { gte: since } })
      )
  }
  const make = (changes: Partial<typeof call> = {}) =>
    Effect.flatMap(StripeCalls, (calls) => calls.make({ ...call, ...changes }))
  const createdIds = Effect.promise(async () => {
    const ids: Array<string> = []
    for await (const { id, metadata } of client.customers.list({ limit: 100 })) {
      if (metadata["operationId"] === operation) ids.push(id)
    }
    return ids
  })
  const attempts = Effect.map(
    control.requests,
    (all) =>
      new Set(
        all
          .map(({ idempotencyKey }) => idempotencyKey ?? "")
          .filter((key) => key.startsWith(operation))
          .map((key) => Number(key.slice(operation.length + 1)))
      )
  )
  const age = sql`
    UPDATE stripe_calls SET began_at = now() - interval '25 hours', attempted_at = now() - interval '25 hours'
    WHERE operation = ${operation}
  `
  return { age, attempts, control, make, createdIds, operation }
})

layer(layerCalls, { excludeTestServices: true, timeout: "60 seconds" })("StripeCalls", (it) => {
  it.effect(
    "after a failure without effect the next attempt performs the operation, and is the current one from then on",
    () =>
      Effect.gen(function* () {
        const { attempts, control, createdIds, make } = yield* newOperation
        yield* control.addTrouble({ method: "POST", path, does: "failBefore" })
        const { id } = yield* make()
        assert.deepStrictEqual(yield* attempts, new Set([1, 2]))
        yield* control.forgetRequests
        assert.strictEqual((yield* make()).id, id)
        assert.deepStrictEqual(yield* attempts, new Set([2]))
        assert.deepStrictEqual(yield* createdIds, [id])
      })
  )

  it.effect("after a failure with an effect the result is found, without another attempt", () =>
    Effect.gen(function* () {
      const { attempts, control, createdIds, make } = yield* newOperation
      yield* control.addTrouble({ method: "POST", path, does: "failAfter" })
      for (let request = 0; request < 3; request += 1) {
        const { id } = yield* make()
        assert.deepStrictEqual(yield* createdIds, [id])
      }
      assert.deepStrictEqual(yield* attempts, new Set([1]))
    })
  )

  for (const does of ["timeOutBefore", "timeOutAfter", "hangUpBefore", "hangUpAfter", "rateLimit"] as const) {
    it.effect(`after ${does} the outcome is unknown, and the same attempt is repeated`, () =>
      Effect.gen(function* () {
        const { attempts, control, createdIds, make } = yield* newOperation
        const { withShortTimeout } = yield* TestStripe
        yield* control.addTrouble({ method: "POST", path, does, times: 2 })
        assert.isTrue(hasUnknownOutcome(yield* withShortTimeout(Effect.exit(make()))))
        yield* control.clearTroubles
        assert.lengthOf(yield* createdIds, does.endsWith("After") ? 1 : 0)
        const { id } = yield* make()
        assert.deepStrictEqual([yield* createdIds, yield* attempts], [[id], new Set([1])])
      })
    )
  }

  it.effect("a running call is repeated under its own attempt", () =>
    Effect.gen(function* () {
      const { attempts, control, createdIds, make } = yield* newOperation
      yield* control.addTrouble({ method: "POST", path, does: "delay", millis: 500 })
      const exits = yield* Effect.all(
        Array.from({ length: 10 }, () => Effect.exit(make())),
        { concurrency: "unbounded" }
      )
      assert.isTrue(exits.every((exit) => Exit.isSuccess(exit) || hasUnknownOutcome(exit)))
      const { id } = yield* make()
      assert.deepStrictEqual(yield* createdIds, [id])
      assert.deepStrictEqual(yield* attempts, new Set([1]))
    })
  )

  it.effect("of 20 concurrent calls one takes effect, whatever fails", () =>
    Effect.gen(function* () {
      const { control, createdIds, make } = yield* newOperation
      for (const does of ["failBefore", "failAfter", "failBefore", "rateLimit", "hangUpAfter"] as const) {
        yield* control.addTrouble({ method: "POST", path, does, times: 2 })
      }
      yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.exit(make())),
        { concurrency: "unbounded" }
      )
      yield* control.clearTroubles
      const { id } = yield* make()
      assert.deepStrictEqual(yield* createdIds, [id])
    })
  )

  it.effect("a request makes three attempts, after which it is known that nothing happened", () =>
    Effect.gen(function* () {
      const { attempts, control, createdIds, make } = yield* newOperation
      yield* control.addTrouble({ method: "POST", path, does: "failBefore", times: 100 })
      assert.instanceOf(yield* Effect.flip(make()), StripeFailed)
      assert.deepStrictEqual(yield* attempts, new Set([1, 2, 3]))
      yield* control.clearTroubles
      const { id } = yield* make()
      assert.deepStrictEqual(yield* createdIds, [id])
      assert.deepStrictEqual(yield* attempts, new Set([1, 2, 3, 4]))
    })
  )

  it.effect("there is no other attempt while the result of a failed call cannot be searched", () =>
    Effect.gen(function* () {
      const { attempts, control, createdIds, make } = yield* newOperation
      yield* control.addTrouble({ method: "POST", path, does: "failAfter" })
      yield* control.addTrouble({ method: "GET", path, does: "failBefore", times: 2 })
      for (let request = 0; request < 2; request += 1) assert.isTrue(hasUnknownOutcome(yield* Effect.exit(make())))
      const { id } = yield* make()
      assert.deepStrictEqual(yield* createdIds, [id])
      assert.deepStrictEqual(yield* attempts, new Set([1]))
    })
  )

  it.effect("an object that is gone when its response is replayed is created anew", () =>
    Effect.gen(function* () {
      const { createdIds, make } = yield* newOperation
      const { client } = yield* TestStripe
      const first = yield* make()
      yield* Effect.promise(() => client.customers.del(first.id))
      const stillExists = ({ id }: StripeClient.Customer) =>
        Effect.promise(async () => (await client.customers.retrieve(id)).deleted !== true)
      const second = yield* make({ stillExists })
      assert.notStrictEqual(second.id, first.id)
      assert.strictEqual((yield* make({ stillExists })).id, second.id)
      assert.deepStrictEqual(yield* createdIds, [second.id])
    })
  )

  it.effect("a day later, when Stripe has forgotten the key, the result is searched before the call", () =>
    Effect.gen(function* () {
      const { age, control, make } = yield* newOperation
      const { id } = yield* make()
      yield* age
      yield* control.forgetRequests
      assert.strictEqual((yield* make()).id, id)
      assert.deepStrictEqual(
        (yield* control.requests).map(({ method }) => method),
        ["GET"]
      )
    })
  )

  it.effect(
    "a failure without Stripe's request id comes from a proxy: the outcome is unknown, and the attempt stays",
    () =>
      Effect.gen(function* () {
        const keys: Array<unknown> = []
        const bodies = ["<html></html>", "{}", '{"error":{"message":"Away"}}']
        const { url } = yield* serveListener((request, response) => {
          keys.push(request.headers["idempotency-key"])
          response.writeHead(503, { "content-type": "text/html" }).end(bodies[keys.length % bodies.length])
        })
        const layerOwn = Layer.fresh(StripeCalls.layer).pipe(
          Layer.provideMerge(Layer.fresh(Stripe.layer)),
          Layer.provide(
            Layer.succeed(StripeSettings, {
              live: { url, key: Redacted.make("sk_test"), webhookSecrets: [] },
              test: undefined,
              timeoutMillis: 1000,
              retries: 0
            })
          )
        )
        const { make, operation } = yield* newOperation
        for (const _ of bodies) assert.isTrue(hasUnknownOutcome(yield* Effect.exit(Effect.provide(make(), layerOwn))))
        assert.deepStrictEqual(new Set(keys), new Set([`${operation}-1`]))
        assert.lengthOf(keys, bodies.length)
      })
  )
})

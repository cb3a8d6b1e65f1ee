import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeSerialRequests } from "./makeSerialRequests.ts"

it.effect(
  "an organization's requests run one at a time; the next ones wait for a moment, and no other organization does",
  () =>
    Effect.gen(function* () {
      const runSerially = makeSerialRequests()
      const [flooding, bystander] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
      const [started, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let atOnce = 0
      const answer = Effect.gen(function* () {
        atOnce += 1
        yield* Deferred.succeed(started, undefined)
        yield* Deferred.await(end)
        atOnce -= 1
      })
      const first = yield* Effect.forkChild(runSerially(flooding, answer))
      yield* Deferred.await(started)
      const late = yield* Effect.forkChild(Effect.flip(runSerially(flooding, answer)))
      assert.strictEqual(yield* runSerially(bystander, Effect.succeed("at once")), "at once")
      assert.strictEqual(atOnce, 1)
      yield* TestClock.adjust("2 seconds")
      assert.deepInclude(yield* Fiber.join(late), { _tag: "AuditBusy", retryAfter: 1 })
      const waiting = yield* Effect.forkChild(runSerially(flooding, Effect.succeed("after it")))
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(first)
      assert.strictEqual(yield* Fiber.join(waiting), "after it")
    })
)

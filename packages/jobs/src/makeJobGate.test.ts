import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeJobGate } from "./makeJobGate.ts"

it.effect(
  "jobs run side by side, but for one that is alone: it waits for those before, and those after wait for it",
  () =>
    Effect.gen(function* () {
      const gate = yield* makeJobGate
      const log: Array<string> = []
      const job = Effect.fnUntraced(function* (name: string, how: "beside" | "alone") {
        const end = yield* Deferred.make<void>()
        const fiber = yield* Effect.gen(function* () {
          const places = how === "beside" ? 1 : gate.all
          yield* Effect.acquireRelease(gate.enter(places), () => gate.leave(places), { interruptible: true })
          log.push(`${name} begins`)
          yield* Deferred.await(end)
          log.push(`${name} ends`)
        }).pipe(Effect.scoped, Effect.forkChild({ startImmediately: true }))
        return { fiber, end: Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber)) }
      })

      const first = yield* job("first", "beside")
      const second = yield* job("second", "beside")
      const alone = yield* job("alone", "alone")
      const late = yield* job("late", "beside")
      const stopped = yield* job("stopped", "alone")
      const last = yield* job("last", "beside")
      yield* Fiber.interrupt(stopped.fiber)
      yield* second.end
      yield* first.end
      yield* alone.end
      yield* last.end
      yield* late.end
      assert.deepStrictEqual(log, [
        "first begins",
        "second begins",
        "second ends",
        "first ends",
        "alone begins",
        "alone ends",
        "late begins",
        "last begins",
        "last ends",
        "late ends"
      ])
    })
)

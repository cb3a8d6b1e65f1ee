import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeCircuitBreaker } from "./makeCircuitBreaker.ts"

const isAway = (failure: string) => failure !== "broken"

const make = () => {
  let calls = 0
  let isDown = true
  const guarded = makeCircuitBreaker({ failures: 3, openMillis: 500, refused: () => "refused", isAway })
  const call = guarded(
    Effect.suspend(() => {
      calls += 1
      return isDown ? Effect.fail("down") : Effect.succeed("up")
    })
  )
  return {
    call: Effect.match(call, { onFailure: (error) => error, onSuccess: (value) => value }),
    calls: () => calls,
    recover: () => {
      isDown = false
    }
  }
}

it.effect("refuses without trying after failures in a row, then lets one call through", () =>
  Effect.gen(function* () {
    const { call, calls, recover } = make()
    for (let index = 0; index < 3; index += 1) assert.strictEqual(yield* call, "down")
    assert.strictEqual(yield* call, "refused")
    assert.strictEqual(calls(), 3)
    yield* TestClock.adjust("500 millis")
    assert.strictEqual(yield* call, "down")
    assert.strictEqual(yield* call, "refused")
    assert.strictEqual(calls(), 4)
    recover()
    yield* TestClock.adjust("500 millis")
    assert.strictEqual(yield* call, "up")
    assert.strictEqual(yield* call, "up")
  })
)

it.effect("a success or another failure in between starts the count anew", () =>
  Effect.gen(function* () {
    const guarded = makeCircuitBreaker({ failures: 2, openMillis: 500, refused: () => "refused", isAway })
    const down = Effect.flip(guarded(Effect.fail("down")))
    for (let index = 0; index < 5; index += 1) {
      assert.strictEqual(yield* down, "down")
      assert.strictEqual(yield* guarded(Effect.succeed("up")), "up")
      assert.strictEqual(yield* down, "down")
      assert.strictEqual(yield* Effect.flip(guarded(Effect.fail("broken"))), "broken")
    }
  })
)

it.effect("calls without an answer refuse no caller while other calls are answered", () =>
  Effect.gen(function* () {
    const guarded = makeCircuitBreaker({ failures: 3, openMillis: 500, refused: () => "refused", isAway })
    const lost = guarded(Effect.andThen(Effect.sleep("10 seconds"), Effect.fail("down")))
    const waiting = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: 10 }, () => Effect.flip(lost)),
        { concurrency: "unbounded" }
      )
    )
    yield* TestClock.adjust("9 seconds")
    assert.strictEqual(yield* guarded(Effect.succeed("up")), "up")
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(new Set(yield* Fiber.join(waiting)), new Set(["down"]))
    assert.strictEqual(yield* guarded(Effect.succeed("up")), "up")
  })
)

it.effect("the failures of one caller stop no other; those of two callers stop all until one call is tried", () =>
  Effect.gen(function* () {
    let tried = 0
    const guarded = makeCircuitBreaker({ failures: 3, openMillis: 500, refused: () => "refused", isAway })
    const asks = (caller: string | undefined, answer: Effect.Effect<string, string>) =>
      guarded(
        Effect.suspend(() => {
          tried += 1
          return answer
        }),
        caller
      ).pipe(Effect.match({ onFailure: (error) => error, onSuccess: (value) => value }))
    const down = (caller: string | undefined) => asks(caller, Effect.fail("down"))
    const all = (...effects: ReadonlyArray<Effect.Effect<string>>) => Effect.all(effects)

    yield* all(down("a"), down("a"), down("a"))
    assert.deepStrictEqual(yield* all(down("a"), down("b"), down(undefined)), ["refused", "down", "down"])
    assert.strictEqual(tried, 5)
    // A caller's circuit counts once, however often its calls are tried again.
    for (let index = 0; index < 5; index += 1) {
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(yield* all(down("a"), down("a")), ["down", "refused"])
    }
    assert.deepStrictEqual(yield* all(down("b"), down("b"), down("b"), down("c")), [
      "down",
      "down",
      "refused",
      "refused"
    ])
    yield* TestClock.adjust("500 millis")
    assert.deepStrictEqual(yield* all(down("c"), down("d"), down(undefined)), ["down", "refused", "refused"])
    yield* TestClock.adjust("500 millis")
    assert.deepStrictEqual(yield* all(asks("d", Effect.succeed("up")), down("a"), down("b"), down("a")), [
      "up",
      "down",
      "down",
      "down"
    ])
  })
)

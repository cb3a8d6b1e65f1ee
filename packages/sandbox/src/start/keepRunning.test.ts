import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { keepRunning, type ProcessEnd } from "./keepRunning.ts"

const crash: ProcessEnd = { how: "exit code 1", sentence: undefined }

/** A process that ends on request, with what is printed about it. */
const makeProcess = Effect.fnUntraced(function* (restartMillis?: number) {
  const isReady = yield* Deferred.make<void>()
  const lines: Array<string> = []
  const runs: Array<Deferred.Deferred<ProcessEnd>> = []
  const runOnce = Effect.gen(function* () {
    const run = yield* Deferred.make<ProcessEnd>()
    runs.push(run)
    return yield* Deferred.await(run)
  })
  const keeper = yield* keepRunning({
    name: "auth",
    runOnce,
    isReady,
    restartMillis,
    write: (name, line) => lines.push(`${name} ${line}`)
  }).pipe(Effect.forkChild)
  // Adjusting by nothing lets the keeper run until it waits.
  const end = (how: ProcessEnd) =>
    Effect.suspend(() => {
      const [current] = runs.slice(-1)
      return current === undefined ? Effect.die("nothing runs") : Deferred.succeed(current, how)
    }).pipe(Effect.andThen(TestClock.adjust(0)))
  yield* TestClock.adjust(0)
  return { end, isReady, keeper, lines, runs }
})

it.effect("restarts a process forever: after 1 s, then after twice as long, never longer than 30 s", () =>
  Effect.gen(function* () {
    const { end, isReady, lines, runs } = yield* makeProcess()
    yield* Deferred.succeed(isReady, undefined)
    for (const seconds of [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30]) {
      const before = runs.length
      yield* end(crash)
      assert.strictEqual(lines.at(-1), `auth ended (exit code 1), next try in ${seconds} s`)
      yield* TestClock.adjust(seconds * 1000 - 1)
      assert.lengthOf(runs, before)
      yield* TestClock.adjust(1)
      assert.lengthOf(runs, before + 1)
    }
    assert.lengthOf(lines, 12)
  })
)

it.effect("waits at first for the configured time", () =>
  Effect.gen(function* () {
    const { end, isReady, lines, runs } = yield* makeProcess(20)
    yield* Deferred.succeed(isReady, undefined)
    yield* end(crash)
    yield* TestClock.adjust(19)
    assert.lengthOf(runs, 1)
    yield* TestClock.adjust(1)
    assert.lengthOf(runs, 2)
    yield* end(crash)
    assert.strictEqual(lines.at(-1), "auth ended (exit code 1), next try in 0.04 s")
  })
)

it.effect("a process that has run for a minute is started again after a second, one that ran for less is not", () =>
  Effect.gen(function* () {
    const { end, isReady, lines } = yield* makeProcess()
    yield* Deferred.succeed(isReady, undefined)
    for (const [ranMillis, seconds] of [
      [0, 1],
      [59_999, 2],
      [59_999, 4],
      [60_000, 1],
      [0, 2]
    ] as const) {
      yield* TestClock.adjust(ranMillis)
      yield* end(crash)
      assert.strictEqual(lines.at(-1), `auth ended (exit code 1), next try in ${seconds} s`)
      yield* TestClock.adjust(seconds * 1000)
    }
  })
)

it.effect("an exit before the suite is ready is a failure of the start, with the last words of the process", () =>
  Effect.gen(function* () {
    const silent = yield* makeProcess()
    yield* silent.end(crash)
    const unexplained = yield* Effect.flip(Fiber.join(silent.keeper))
    assert.strictEqual(unexplained.message, "The auth process does not start (exit code 1).")
    assert.isTrue(unexplained.isInOutput)

    const speaking = yield* makeProcess()
    yield* speaking.end({ how: "exit code 1", sentence: "PHI_KEY is missing: set it." })
    const explained = yield* Effect.flip(Fiber.join(speaking.keeper))
    assert.strictEqual(explained.message, "PHI_KEY is missing: set it.")
    assert.isUndefined(explained.isInOutput)
    assert.deepStrictEqual([...silent.lines, ...speaking.lines], [])
  })
)

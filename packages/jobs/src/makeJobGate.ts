import { Effect, Semaphore } from "effect"

// More jobs than any process works on at once.
const all = 1_000_000

/**
 * Lets the jobs of a process run side by side, or one of them alone, which takes `all` places. Whoever waits to be alone
 * holds up those who come after, or would wait for ever. What was entered has to be left.
 */
export const makeJobGate = Effect.gen(function* () {
  const entrance = yield* Semaphore.make(1)
  const room = yield* Semaphore.make(all)
  return {
    all,
    enter: (places: number) => entrance.withPermit(room.take(places)),
    leave: (places: number) => room.release(places)
  }
})

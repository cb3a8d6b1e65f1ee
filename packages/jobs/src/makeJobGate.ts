import { Effect, Semaphore } from "effect"

// More jobs than any process runs at once.
const all = 1_000_000

/**
 * Makes a gate that lets the jobs of a process run beside each other, or one job alone, which takes `all` permits. A job that waits to
 * run alone delays those that come after it: otherwise it might wait for ever. Each `enter` needs its `leave`.
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

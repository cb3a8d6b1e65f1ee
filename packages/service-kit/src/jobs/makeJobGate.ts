import { Effect, Semaphore } from "effect"

// More jobs than any process works on at once.
const places = 1_000_000

/**
 * Lets the jobs of a process run side by side, or one of them alone, until the scope closes. Whoever waits to be alone
 * holds up those who come after, or would wait for ever.
 */
export const makeJobGate = Effect.gen(function* () {
  const entrance = yield* Semaphore.make(1)
  const room = yield* Semaphore.make(places)
  const enter = (taken: number) =>
    Effect.acquireRelease(entrance.withPermit(room.take(taken)), () => room.release(taken), { interruptible: true })
  return { beside: enter(1), alone: enter(places) }
})

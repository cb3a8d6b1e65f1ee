import { Context, Effect, Latch, Layer } from "effect"

/** Wakes up the workers of a process when a job is offered, so that they need not wait for the poll interval. */
export class JobWakeUp extends Context.Service<
  JobWakeUp,
  {
    /** Returns the latch of a queue. It is open if the queue may have a job that workers have not looked for yet. */
    readonly of: (queue: string) => Latch.Latch
    readonly wake: (queue: string) => Effect.Effect<void>
    readonly queues: () => ReadonlyArray<string>
  }
>()("@care/jobs/JobWakeUp") {
  static readonly layer = Layer.sync(JobWakeUp, () => {
    const latches = new Map<string, Latch.Latch>()
    const of = (queue: string) => {
      const existing = latches.get(queue)
      if (existing !== undefined) return existing
      const latch = Latch.makeUnsafe(true)
      latches.set(queue, latch)
      return latch
    }
    return JobWakeUp.of({
      of,
      wake: (queue) => Effect.sync(() => of(queue).openUnsafe()),
      queues: () => [...latches.keys()]
    })
  })
}

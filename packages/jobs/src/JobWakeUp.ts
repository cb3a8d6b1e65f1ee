import { Context, Effect, Latch, Layer } from "effect"

/** The queues of a process, and the news of them: who waits for a job need not wait for the poll interval. */
export class JobWakeUp extends Context.Service<
  JobWakeUp,
  {
    /** Open when there may be a job that nobody has looked for yet. */
    readonly of: (queue: string) => Latch.Latch
    /** Says that a queue is to be looked at. */
    readonly tell: (queue: string) => Effect.Effect<void>
    /** The names of the queues that somebody asked for here. */
    readonly queues: () => ReadonlyArray<string>
  }
>()("@care/jobs/JobWakeUp") {
  static readonly layer = Layer.sync(JobWakeUp, () => {
    const latches = new Map<string, Latch.Latch>()
    const of = (queue: string) => {
      const known = latches.get(queue)
      if (known !== undefined) return known
      const made = Latch.makeUnsafe(true)
      latches.set(queue, made)
      return made
    }
    return JobWakeUp.of({
      of,
      tell: (queue) => Effect.sync(() => of(queue).openUnsafe()),
      queues: () => [...latches.keys()]
    })
  })
}

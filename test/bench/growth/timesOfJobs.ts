import { Effect } from "effect"
import { readJobTimes } from "./jobRuns.ts"
import type { Times } from "./measureOperations.ts"
import { delayedQueues, queues, scheduledQueues } from "./queues.ts"
import type { World } from "./World.ts"

/** Returns the times of the jobs of a world so far. Every kind must have at least one. */
export const timesOfJobs = Effect.fnUntraced(function* ({ database }: World) {
  const found = yield* Effect.promise(() => readJobTimes(database))
  const times = new Map<string, number>()
  for (const queue of [...queues, ...delayedQueues, ...scheduledQueues.map((names) => names.join(" "))]) {
    const job = found.find((candidate) => candidate.queue === queue)
    if (job === undefined) return yield* Effect.die(new Error(`No job of ${queue} was done.`))
    if (queues.includes(queue)) times.set(`job ${queue}: until it is begun`, job.waited)
    times.set(`job ${queue}: until it is done`, job.worked)
  }
  const all: Times = times
  return all
})

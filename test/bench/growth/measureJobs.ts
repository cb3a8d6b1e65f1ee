import { Effect } from "effect"
import { takeJobTimes } from "./jobRuns.ts"
import type { Times } from "./measureOperations.ts"
import { delayedQueues, queues, scheduledQueues } from "./queues.ts"
import { runScheduled } from "./runScheduled.ts"
import type { World } from "./World.ts"

const scheduledRuns = 10

/** Forgets what the jobs of a world took so far. */
export const forgetJobs = ({ database }: World) => Effect.promise(() => takeJobTimes(database))

/** What the jobs of a world took since, and its scheduled work, which is done for it now. */
export const measureJobs = Effect.fnUntraced(function* (world: World) {
  const { database, jobsDone, phiKey } = world
  const scheduled = Effect.andThen(runScheduled(database, phiKey), Effect.promise(jobsDone))
  yield* Effect.replicateEffect(scheduled, scheduledRuns, { discard: true })
  const found = yield* Effect.promise(() => takeJobTimes(database))
  const times = new Map<string, number>()
  for (const queue of [...queues, ...delayedQueues, ...scheduledQueues.map((names) => names.join(" "))]) {
    const job = found.find((of) => of.queue === queue)
    if (job === undefined) return yield* Effect.die(new Error(`No job of ${queue} was done.`))
    if (queues.includes(queue)) times.set(`job ${queue}: until it is begun`, job.waited)
    times.set(`job ${queue}: until it is done`, job.worked)
  }
  const all: Times = times
  return all
})

import { Effect } from "effect"
import { say } from "../say.ts"
import { seedCases } from "../seed/seedCases.ts"
import { startBench } from "../startBench.ts"
import { adminOperations } from "./adminOperations.ts"
import { caseOperations } from "./caseOperations.ts"
import { growthStatements } from "./growthStatements.ts"
import { noteJobRuns, takeJobTimes, untilNoJobIsDue } from "./jobRuns.ts"
import { measureOperations, type Repetition, type Times } from "./measureOperations.ts"
import { patientOperations } from "./patientOperations.ts"
import { newBundle } from "./preparations.ts"
import { queues, scheduledQueues } from "./queues.ts"
import { reportRatios } from "./reportRatios.ts"
import { requireAllEndpoints } from "./requireAllEndpoints.ts"
import { runScheduled } from "./runScheduled.ts"
import { serveFile } from "./serveFile.ts"
import { makeWorld } from "./World.ts"

const operations = { ...patientOperations, ...caseOperations, ...adminOperations }

/** How many cases and patients are stored, few and many, and how often everything is done. */
export interface GrowthOptions extends Repetition {
  readonly sizes: readonly [few: number, many: number]
}

/**
 * Does every operation of the API and every job with few and with many stored cases of one organization, and tells what
 * each takes. Answers what takes more than it should with many.
 */
export const growth = Effect.fnUntraced(function* ({ sizes, ...repetition }: GrowthOptions) {
  yield* requireAllEndpoints(operations)
  const bench = yield* startBench(false, { RATE_LIMIT_USER_LOOKUP: "1000000" })
  const { admin, database, organizationId, phiKey, productId, providerIds } = bench
  const { url: fileUrl } = yield* serveFile
  const bundleId = yield* admin.create(`/organizations/${organizationId}/bundles`, newBundle)
  yield* Effect.promise(() => noteJobRuns(database))

  const scheduled = Effect.andThen(
    runScheduled(database, phiKey),
    Effect.promise(() => untilNoJobIsDue(database))
  )

  const measureAll = Effect.fnUntraced(function* (caseIds: ReadonlyArray<string>) {
    const world = yield* Effect.promise(() => makeWorld(bench, { bundleId, fileUrl, caseIds }))
    yield* Effect.promise(() => takeJobTimes(database))
    const times = new Map<string, number>(yield* Effect.promise(() => measureOperations(operations, world, repetition)))
    yield* Effect.replicateEffect(scheduled, 1 + repetition.passes, { discard: true })
    const jobs = yield* Effect.promise(() => takeJobTimes(database))
    for (const queue of [...queues, ...scheduledQueues.map((names) => names.join(" "))]) {
      const found = jobs.find((job) => job.queue === queue)
      if (found === undefined) return yield* Effect.die(new Error(`No job of ${queue} was done.`))
      if (queues.includes(queue)) times.set(`job ${queue}: until it is begun`, found.waited)
      times.set(`job ${queue}: until it is done`, found.worked)
    }
    const all: Times = times
    return all
  })

  const measured: Array<Times> = []
  let stored = 0
  for (const size of sizes) {
    say(`Storing ${(size - stored).toLocaleString("en")} cases and what hangs on them ...`)
    const seeding = { organizationId, productId, providerIds, phiKey }
    const caseIds = yield* Effect.promise(() => seedCases(database, seeding, [stored + 1, size], growthStatements))
    stored = size
    say(`Doing everything with ${size.toLocaleString("en")} ...`)
    measured.push(yield* measureAll(caseIds))
  }
  const [few = new Map(), many = new Map()] = measured
  return reportRatios(few, many)
})

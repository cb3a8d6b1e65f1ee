import { Effect } from "effect"
import { say } from "../say.ts"
import { measureOperations, type Repetition, type Times } from "./measureOperations.ts"
import type { OperationTable } from "./OperationTable.ts"
import { operations } from "./operations.ts"
import { overAim, reportRatios } from "./reportRatios.ts"
import { runScheduled } from "./runScheduled.ts"
import { serveFile } from "./serveFile.ts"
import { startWorld } from "./startWorld.ts"
import { takeTimesOfJobs } from "./takeTimesOfJobs.ts"

const scheduledRuns = 10

// A machine with other work makes one or the other time half as long again.
const repeats = 2

/** How many cases and patients are stored, few and many, and how often everything is done. */
export interface GrowthOptions extends Repetition {
  readonly few: number
  readonly many: number
  /** What is in the names of the operations that are measured, and no job then; everything without it. */
  readonly only: string | undefined
}

const those = (isWanted: (name: string) => boolean): OperationTable =>
  Object.fromEntries(Object.entries(operations).filter(([name]) => isWanted(name)))

/**
 * Does every operation of the API and every job in two suites, one with few stored cases of an organization and one with
 * many, and tells what each takes. What takes too much more with many is measured again, up to twice, and only when it does so
 * each time said to: an operation by itself, a job by doing everything, since it is not known what leads to it. Answers what does.
 */
export const growth = Effect.fnUntraced(function* ({ few, many, only, ...repetition }: GrowthOptions) {
  const named = those((name) => only === undefined || name.includes(only))
  if (Object.keys(named).length === 0) return yield* Effect.die(new Error(`No operation has "${only}" in its name.`))
  const { url: fileUrl } = yield* serveFile
  const worlds = [yield* startWorld(few, fileUrl), yield* startWorld(many, fileUrl)]
  const measure = (some: OperationTable) => Effect.promise(() => measureOperations(some, worlds, repetition))

  const measureAll = Effect.gen(function* () {
    const called = yield* measure(operations)
    yield* Effect.replicateEffect(Effect.forEach(worlds, runScheduled), scheduledRuns, { discard: true })
    const jobs = yield* Effect.forEach(worlds, takeTimesOfJobs)
    return worlds.map((_world, at): Times => new Map([...(called[at] ?? []), ...(jobs[at] ?? [])]))
  })

  if (only !== undefined) {
    const [withFew = new Map(), withMany = new Map()] = yield* measure(named)
    reportRatios(withFew, withMany)
    return overAim(withFew, withMany)
  }

  say("Doing everything ...")
  let [withFew = new Map(), withMany = new Map()] = yield* measureAll
  for (let repeated = 0; repeated < repeats; repeated += 1) {
    const over = overAim(withFew, withMany)
    if (over.length === 0) break
    say(`Doing again what leads to ${over.length} times ...`)
    const operationsOver = those((name) => over.includes(name))
    const areAll = over.every((name) => operationsOver[name] !== undefined)
    const [againFew = new Map(), againMany = new Map()] = yield* areAll ? measure(operationsOver) : measureAll
    const among = (times: Times): Times => new Map(Array.from(times).filter(([name]) => over.includes(name)))
    withFew = new Map([...withFew, ...among(againFew)])
    withMany = new Map([...withMany, ...among(againMany)])
  }
  reportRatios(withFew, withMany)
  return overAim(withFew, withMany)
})

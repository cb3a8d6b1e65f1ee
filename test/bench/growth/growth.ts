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

/** How many cases and patients are stored, few and many, and how often everything is done. */
export interface GrowthOptions extends Repetition {
  readonly few: number
  readonly many: number
}

const merged = (times: Times = new Map(), more: Times = new Map()): Times => new Map([...times, ...more])

/**
 * Does every operation of the API and every job in two suites, one with few stored cases of an organization and one with
 * many, and tells what each takes. Operations that take too much more with many are measured again, and only then said to.
 * Answers what does.
 */
export const growth = Effect.fnUntraced(function* ({ few, many, ...repetition }: GrowthOptions) {
  const { url: fileUrl } = yield* serveFile
  const worlds = [yield* startWorld(few, fileUrl), yield* startWorld(many, fileUrl)]
  const measure = (some: OperationTable) => Effect.promise(() => measureOperations(some, worlds, repetition))

  say("Doing everything ...")
  const first = yield* measure(operations)
  yield* Effect.replicateEffect(Effect.forEach(worlds, runScheduled), scheduledRuns, { discard: true })
  const jobs = yield* Effect.forEach(worlds, takeTimesOfJobs)
  const over = overAim(merged(first[0]), merged(first[1]))
  const again = yield* measure(Object.fromEntries(Object.entries(operations).filter(([name]) => over.includes(name))))

  const [withFew = new Map(), withMany = new Map()] = worlds.map((_world, index) =>
    merged(merged(first[index], again[index]), jobs[index])
  )
  reportRatios(withFew, withMany)
  return overAim(withFew, withMany)
})

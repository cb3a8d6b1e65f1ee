import { Effect } from "effect"
import { say } from "../say.ts"
import { type MeasuredWorld, measureOperations, mediansOf, type Repetition, type Times } from "./measureOperations.ts"
import { measured, type OperationTable } from "./OperationTable.ts"
import { overAim, reportRatios } from "./reportRatios.ts"
import { restartSuites } from "./restartSuites.ts"
import { runScheduled } from "./runScheduled.ts"
import { serveFile } from "./serveFile.ts"
import { startWorld } from "./startWorld.ts"
import { timesOfJobs } from "./timesOfJobs.ts"

const scheduledRuns = 10
const repeats = 2

/** How many cases and patients are stored, few and many, and how often everything is done. */
interface GrowthOptions extends Repetition {
  readonly few: number
  readonly many: number
  /** What is in the names of the operations that are measured, and no job then; everything without it. */
  readonly only: string | undefined
  /** How often the processes of the suites are started, each time to do everything. */
  readonly starts: number
}

const those = (isWanted: (name: string) => boolean): OperationTable =>
  Object.fromEntries(Object.entries(measured).filter(([name]) => isWanted(name)))

/**
 * Does every operation of the API and every job in two suites, one with few stored cases of an organization and one with
 * many, and tells what each takes. Two suites with the same cases differ by a quarter, until they are started again, and the
 * median of some dozens of calls is a matter of chance, too: so all is done in suites that were started some times, and what
 * takes too much more with many is measured again, up to twice, operations by themselves and three times as often, jobs by
 * doing everything, since it is not known what leads to them. All that was measured counts. Answers what takes too much more then.
 */
export const growth = Effect.fnUntraced(function* ({ few, many, only, starts, ...repetition }: GrowthOptions) {
  const named = those((name) => only === undefined || name.includes(only))
  if (Object.keys(named).length === 0) return yield* Effect.die(new Error(`No operation has "${only}" in its name.`))
  const { url: fileUrl } = yield* serveFile
  const worlds = [yield* startWorld(few, fileUrl), yield* startWorld(many, fileUrl)]
  const taken = worlds.map((world): MeasuredWorld => ({ world, taken: new Map() }))

  const measure = Effect.fnUntraced(function* (some: OperationTable, how: Repetition) {
    for (let start = 1; start <= starts; start += 1) {
      say(`Measuring ${Object.keys(some).length} operations, start ${start} of ${starts} of the suites ...`)
      yield* Effect.promise(() => restartSuites(worlds))
      yield* Effect.promise(() => measureOperations(some, taken, how))
      if (only !== undefined) continue
      yield* Effect.replicateEffect(Effect.forEach(worlds, runScheduled), scheduledRuns, { discard: true })
    }
  })
  const timesOf = Effect.fnUntraced(function* (one: MeasuredWorld) {
    const jobs: Times = only === undefined ? yield* timesOfJobs(one.world) : new Map()
    const all: Times = new Map([...mediansOf(one), ...jobs])
    return all
  })
  const compared = Effect.map(
    Effect.forEach(taken, timesOf),
    ([withFew = new Map(), withMany = new Map()]) => [withFew, withMany] as const
  )

  yield* measure(only === undefined ? measured : named, repetition)
  for (let repeated = 0; repeated < repeats; repeated += 1) {
    const over = overAim(...(yield* compared))
    if (over.length === 0) break
    say(`Over the aim so far: ${over.join(", ")}`)
    const operationsOver = those((name) => over.includes(name))
    yield* measure(operationsOver, { ...repetition, passes: 3 * repetition.passes })
    if (over.some((name) => operationsOver[name] === undefined)) yield* measure(measured, repetition)
  }
  const [withFew, withMany] = yield* compared
  reportRatios(withFew, withMany)
  return overAim(withFew, withMany)
})

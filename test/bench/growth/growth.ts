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

/** The small and the large number of stored cases and patients, and how often everything is measured. */
interface GrowthOptions extends Repetition {
  readonly few: number
  readonly many: number
  /** Parts of the names of the operations to measure, with commas between, without any jobs; everything by default. */
  readonly only: string | undefined
  /** How often the suites are started, with all measurements each time. */
  readonly starts: number
}

const those = (isWanted: (name: string) => boolean): OperationTable =>
  Object.fromEntries(Object.entries(measured).filter(([name]) => isWanted(name)))

/**
 * Measures every operation of the API and every job in two suites, one with few stored cases of an organization and one with many. Two
 * suites with equal data differ by a quarter until they are restarted, and a median of some dozens of calls is partly chance. So the suites
 * are restarted several times, and whatever grows too much is measured again, up to twice: operations separately and three times as often,
 * jobs by doing everything. All measurements count. Returns what still grows too much.
 */
export const growth = Effect.fnUntraced(function* ({ few, many, only, starts, ...repetition }: GrowthOptions) {
  const named = those((name) => only === undefined || only.split(",").some((part) => name.includes(part)))
  if (Object.keys(named).length === 0) return yield* Effect.die(new Error(`No operation has "${only}" in its name.`))
  const { url: fileUrl } = yield* serveFile
  const worlds = [yield* startWorld(few, fileUrl), yield* startWorld(many, fileUrl)]
  const measuredWorlds = worlds.map((world): MeasuredWorld => ({ world, timesByName: new Map() }))

  const measure = Effect.fnUntraced(function* (operations: OperationTable, how: Repetition) {
    for (let start = 1; start <= starts; start += 1) {
      say(`Measuring ${Object.keys(operations).length} operations, start ${start} of ${starts} of the suites ...`)
      yield* Effect.promise(() => restartSuites(worlds))
      yield* Effect.promise(() => measureOperations(operations, measuredWorlds, how))
      if (only !== undefined) continue
      yield* Effect.replicateEffect(Effect.forEach(worlds, runScheduled), scheduledRuns, { discard: true })
    }
  })
  const timesOf = Effect.fnUntraced(function* (measuredWorld: MeasuredWorld) {
    const jobs: Times = only === undefined ? yield* timesOfJobs(measuredWorld.world) : new Map()
    const all: Times = new Map([...mediansOf(measuredWorld), ...jobs])
    return all
  })
  const compared = Effect.map(
    Effect.forEach(measuredWorlds, timesOf),
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

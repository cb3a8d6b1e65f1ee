import { median } from "../median.ts"
import type { OperationTable } from "./OperationTable.ts"
import type { World } from "./World.ts"

/** Median times in milliseconds, by the name of the operation or job. */
export type Times = ReadonlyMap<string, number>

/** A world, and all times of each operation in it so far, in milliseconds. */
export interface MeasuredWorld {
  readonly world: World
  readonly timesByName: Map<string, Array<number>>
}

/** Returns the median time of each operation so far. */
export const mediansOf = ({ timesByName }: MeasuredWorld): Times =>
  new Map(Array.from(timesByName, ([name, all]) => [name, median(all)]))

/** The number of passes through all operations, of which the first is not measured, and of calls in each. */
export interface Repetition {
  readonly passes: number
  readonly callsPerPass: number
}

/**
 * Measures each operation in each world, and adds the times to earlier ones. The worlds alternate, and each pass does all operations a few
 * times, so that a slow moment of the machine does not hit a single one.
 */
export const measureOperations = async (
  operations: OperationTable,
  worlds: ReadonlyArray<MeasuredWorld>,
  { callsPerPass, passes }: Repetition
): Promise<void> => {
  for (let pass = 0; pass <= passes; pass += 1) {
    for (const [name, prepare] of Object.entries(operations)) {
      for (const { timesByName, world } of pass % 2 === 0 ? worlds : worlds.toReversed()) {
        const all = timesByName.get(name) ?? []
        timesByName.set(name, all)
        for (let call = 0; call < callsPerPass; call += 1) {
          const run = await prepare(world)
          const start = performance.now()
          await run()
          if (pass > 0) all.push(performance.now() - start)
        }
        await world.jobsDone()
      }
    }
  }
}

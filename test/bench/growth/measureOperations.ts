import { median } from "../median.ts"
import type { OperationTable } from "./OperationTable.ts"
import type { World } from "./World.ts"

/** Median times in milliseconds, by the name of what took them. */
export type Times = ReadonlyMap<string, number>

/** A world, and all times in milliseconds that each operation took in it so far. */
export interface MeasuredWorld {
  readonly world: World
  readonly taken: Map<string, Array<number>>
}

/** The medians of what operations took so far. */
export const mediansOf = ({ taken }: MeasuredWorld): Times =>
  new Map(Array.from(taken, ([name, all]) => [name, median(all)]))

/** How often an operation is done: in each of some passes through all of them, of which the first is not measured. */
export interface Repetition {
  readonly passes: number
  readonly callsPerPass: number
}

/**
 * Measures what each operation takes in each world, beside what was measured before. The worlds take turns, each the first in
 * every second pass, and all operations are done a few times before the first is done again, so that a bad moment of the
 * machine hits none alone.
 */
export const measureOperations = async (
  operations: OperationTable,
  worlds: ReadonlyArray<MeasuredWorld>,
  { callsPerPass, passes }: Repetition
): Promise<void> => {
  for (let pass = 0; pass <= passes; pass += 1) {
    for (const [name, prepare] of Object.entries(operations)) {
      for (const { taken, world } of pass % 2 === 0 ? worlds : worlds.toReversed()) {
        const all = taken.get(name) ?? []
        taken.set(name, all)
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

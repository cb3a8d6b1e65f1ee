import { median } from "../median.ts"
import type { OperationTable } from "./OperationTable.ts"
import type { World } from "./World.ts"

/** Median times in milliseconds, by the name of what took them. */
export type Times = ReadonlyMap<string, number>

/** How often an operation is done: in each of some passes through all of them, of which the first is not measured. */
export interface Repetition {
  readonly passes: number
  readonly callsPerPass: number
}

/**
 * What each operation takes in each world. The worlds take turns, and all operations are done a few times before the first
 * is done again, so that a bad moment of the machine hits none alone.
 */
export const measureOperations = async (
  operations: OperationTable,
  worlds: ReadonlyArray<World>,
  { callsPerPass, passes }: Repetition
): Promise<ReadonlyArray<Times>> => {
  const measured = worlds.map((world) => ({ world, times: new Map<string, Array<number>>() }))
  for (let pass = 0; pass <= passes; pass += 1) {
    for (const [name, prepare] of Object.entries(operations)) {
      for (const { times, world } of measured) {
        const all = times.get(name) ?? []
        times.set(name, all)
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
  return measured.map(({ times }) => new Map(Array.from(times, ([name, all]) => [name, median(all)])))
}

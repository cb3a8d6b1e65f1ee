import { median } from "../median.ts"
import type { Operations } from "./Operations.ts"
import type { World } from "./World.ts"

/** Median times in milliseconds, by the name of what took them. */
export type Times = ReadonlyMap<string, number>

/** How often an operation is done: in each of some passes through all of them, of which the first is not measured. */
export interface Repetition {
  readonly passes: number
  readonly callsPerPass: number
}

/** What each operation takes. All are done a few times before the first is done again, so that a bad moment hits none alone. */
export const measureOperations = async (
  operations: Operations,
  world: World,
  { callsPerPass, passes }: Repetition
): Promise<Times> => {
  const times = new Map<string, Array<number>>()
  for (let pass = 0; pass <= passes; pass += 1) {
    for (const [name, prepare] of Object.entries(operations)) {
      const measured: Array<number> = []
      for (let call = 0; call < callsPerPass; call += 1) {
        const run = await prepare(world)
        const start = performance.now()
        await run()
        measured.push(performance.now() - start)
      }
      await world.jobsDone()
      if (pass > 0) times.set(name, [...(times.get(name) ?? []), ...measured])
    }
  }
  return new Map(Array.from(times, ([name, all]) => [name, median(all)]))
}

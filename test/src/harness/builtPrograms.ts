import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildPrograms } from "@care/build"
import { Effect, Schedule } from "effect"
import { inject } from "vitest"

/**
 * Returns the folder with the programs that production runs, built from the current sources. The first caller of a run builds them, and the
 * others wait, because two builds at once would take twice as long.
 */
export const builtPrograms = Effect.gen(function* () {
  const folder = join(inject("runFolder"), "programs")
  const marker = join(folder, "whole")
  if (mkdirSync(folder, { recursive: true }) === undefined) {
    yield* Effect.repeat(
      Effect.sync(() => existsSync(marker)),
      { until: (isBuilt) => isBuilt, schedule: Schedule.spaced("40 millis") }
    )
  } else {
    yield* Effect.promise(() => buildPrograms(folder))
    writeFileSync(marker, "")
  }
  return folder
})

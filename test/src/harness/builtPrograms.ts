import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildPrograms } from "@care/build"
import { Effect } from "effect"
import { inject } from "vitest"
import { until } from "./until.ts"

/**
 * Returns the folder with the programs that production runs, built from the current sources. The first caller of a run builds them, and the
 * others wait, because two builds at once would take twice as long.
 */
export const builtPrograms = Effect.gen(function* () {
  const folder = join(inject("runFolder"), "programs")
  const marker = join(folder, "whole")
  if (mkdirSync(folder, { recursive: true }) === undefined) {
    yield* until(
      Effect.sync(() => existsSync(marker)),
      (isBuilt) => isBuilt
    )
  } else {
    yield* Effect.promise(() => buildPrograms(folder))
    writeFileSync(marker, "")
  }
  return folder
})

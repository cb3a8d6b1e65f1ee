import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildPrograms } from "@care/build"
import { Effect } from "effect"
import { inject } from "vitest"
import { until } from "./until.ts"

/**
 * The folder of the programs that production runs, built of the sources as they are now: once a run, by whoever asks first.
 * The others wait, because two that build at once would take twice as long.
 */
export const builtPrograms = Effect.gen(function* () {
  const folder = join(inject("runFolder"), "programs")
  const whole = join(folder, "whole")
  if (mkdirSync(folder, { recursive: true }) === undefined) {
    yield* until(
      Effect.sync(() => existsSync(whole)),
      (isWhole) => isWhole
    )
  } else {
    yield* Effect.promise(() => buildPrograms(folder))
    writeFileSync(whole, "")
  }
  return folder
})

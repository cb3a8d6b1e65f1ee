import { join } from "node:path"
import { buildPrograms, programIn } from "@care/build"
import { Effect } from "effect"
import { say } from "../say.ts"
import { temporaryFolder } from "../temporaryFolder.ts"

/** The programs that production runs, built of the sources as they are now: which file is whose. */
export const builtPrograms = Effect.gen(function* () {
  const folder = join(yield* temporaryFolder, "programs")
  say("Building the programs ...")
  yield* Effect.promise(() => buildPrograms(folder))
  return (name: string) => programIn(folder, name)
})

import { join } from "node:path"
import { type BuildPlugin, buildPrograms, programIn } from "@care/build"
import { Effect } from "effect"
import { say } from "./say.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

/** Builds the production programs from the current sources. Returns the file of each process. */
export const builtPrograms = Effect.fnUntraced(function* (...plugins: ReadonlyArray<BuildPlugin>) {
  const folder = join(yield* temporaryFolder, "programs")
  say("Building the programs ...")
  yield* Effect.promise(() => buildPrograms(folder, plugins))
  return (name: string) => programIn(folder, name)
})

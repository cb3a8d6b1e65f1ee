import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { builtPrograms } from "../bench/builtPrograms.ts"
import { say } from "../bench/say.ts"
import { temporaryFolder } from "../bench/temporaryFolder.ts"
import { restoreDrill } from "./restore/restoreDrill.ts"

const { positionals } = parseArgs({ allowPositionals: true })

if (positionals.join() === "restore") {
  const drill = Effect.gen(function* () {
    const problems = yield* restoreDrill(yield* temporaryFolder, say, yield* builtPrograms())
    if (problems.length > 0) process.exitCode = 1
  })
  NodeRuntime.runMain(Effect.scoped(drill))
} else {
  say("The one drill is: pnpm drill restore")
  process.exitCode = 1
}

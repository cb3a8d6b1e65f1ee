import { BootError, safeCause } from "@care/service-kit"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect } from "effect"
import { runMigrate } from "./runMigrate.ts"

runMigrate(process.argv.slice(2), (text) => process.stdout.write(`${text}\n`)).pipe(
  Effect.tapCause((cause) => {
    const failure = Cause.squash(cause)
    return Effect.sync(() =>
      process.stderr.write(`${failure instanceof BootError ? failure.message : safeCause(cause)}\n`)
    )
  }),
  NodeRuntime.runMain({ disableErrorReporting: true })
)

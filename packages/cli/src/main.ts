import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { ownScreen, Screen } from "./output.ts"
import { runCare } from "./runCare.ts"

runCare(process.argv.slice(2)).pipe(
  Effect.provide(NodeServices.layer),
  Effect.provideService(Screen, ownScreen()),
  NodeRuntime.runMain({ disableErrorReporting: true })
)

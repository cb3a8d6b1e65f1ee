import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { AdminClient, CommandFailed } from "./AdminClient.ts"
import { care } from "./care.ts"

care.pipe(
  Command.run({ version: "1.0.0" }),
  Effect.provide(Layer.merge(AdminClient.layer, NodeServices.layer)),
  Effect.tapError((error) =>
    Effect.sync(() => {
      if (error instanceof CommandFailed) process.stderr.write(`${error.message}\n`)
    })
  ),
  NodeRuntime.runMain({ disableErrorReporting: true })
)

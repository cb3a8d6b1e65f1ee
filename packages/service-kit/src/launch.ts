import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Layer, Record } from "effect"
import { BootError, bootErrorPrefix } from "./config/BootError.ts"
import { LingerMillis } from "./http/serveApp.ts"
import { safeCause } from "./telemetry/safeCause.ts"

/** How long a process may take to end by itself after a signal. */
export const shutdownMillis = 10_000

// An orchestrator sends SIGTERM, and callers have idle connections. Whoever stops the whole suite sends SIGINT.
const lingerMillis = { SIGTERM: 3000, SIGINT: 500 }

// Only a `BootError` gets the prefix. To the starting process everything else is a crash.
const report = (name: string, cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return failure instanceof BootError
    ? `${bootErrorPrefix(name)}${failure.message}`
    : `The ${name} process failed: ${safeCause(cause)}`
}

/** Runs a process until SIGINT or SIGTERM. If it cannot start it writes one sentence. A shutdown may take 10 seconds. */
export const launch = (name: string, layer: Layer.Layer<never, unknown>): void => {
  let received: keyof typeof lingerMillis = "SIGINT"
  for (const signal of Record.keys(lingerMillis)) {
    process.once(signal, () => {
      received = signal
      setTimeout(() => process.exit(1), shutdownMillis).unref()
    })
  }
  NodeRuntime.runMain(
    Layer.launch(layer).pipe(
      Effect.provideService(LingerMillis, () => lingerMillis[received]),
      Effect.tapCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : Effect.sync(() => process.stderr.write(`${report(name, cause)}\n`))
      )
    ),
    { disableErrorReporting: true }
  )
}

import { NodeRuntime } from "@effect/platform-node"
import { Cause, Effect, Layer } from "effect"
import { HttpServerError } from "effect/http"
import { BootError, bootErrorPrefix } from "./config/BootError.ts"
import { safeCause } from "./telemetry/safeCause.ts"

const shutdownMillis = 10_000

const sentence = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  if (failure instanceof BootError) return failure.message
  if (failure instanceof HttpServerError.ServeError) {
    return `The port cannot be used (${String(failure.cause)}): stop what listens there, or set PORT to another one.`
  }
  return safeCause(cause)
}

/**
 * Runs a process until it is told to stop (SIGINT, SIGTERM). What keeps it from starting is written as one sentence, with
 * exit code 1. A shutdown that takes longer than 10 seconds is cut off.
 */
export const launch = (name: string, layer: Layer.Layer<never, unknown>): void => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => setTimeout(() => process.exit(1), shutdownMillis).unref())
  }
  NodeRuntime.runMain(
    Layer.launch(layer).pipe(
      Effect.tapCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : Effect.sync(() => process.stderr.write(`${bootErrorPrefix(name)}${sentence(cause)}\n`))
      )
    ),
    { disableErrorReporting: true }
  )
}

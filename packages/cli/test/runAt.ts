import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, ConfigProvider, Console, Effect, Exit, Runtime } from "effect"
import { runCare } from "../src/runCare.ts"

/**
 * Runs a command against the gateway at a URL, and returns whether it succeeded, its exit code, and what it printed. The lines are also
 * added to `out` and `err`, for tests that look while it runs.
 */
export const runAt = Effect.fnUntraced(function* (
  url: string,
  parameters: ReadonlyArray<string>,
  out: Array<string> = [],
  err: Array<string> = [],
  changes: Readonly<Record<string, string>> = {}
) {
  const capturing: Console.Console = Object.assign(Object.create(console), {
    log: (line: string) => out.push(line),
    error: (line: string) => err.push(line)
  })
  const settings = { CARE_URL: url, ADMIN_TOKEN: "token", CARE_API_KEY: "cv_key", ...changes }
  const exit = yield* runCare(parameters).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(settings)),
    Effect.provideService(Console.Console, capturing),
    Effect.exit
  )
  const exitCode = Exit.isSuccess(exit) ? 0 : Runtime.getErrorExitCode(Cause.squash(exit.cause))
  return { isSuccess: Exit.isSuccess(exit), exitCode, out: out.join("\n"), err }
})

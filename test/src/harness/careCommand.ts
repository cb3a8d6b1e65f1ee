import { runCare } from "@care/cli"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect } from "effect"
import { Suite } from "./Suite.ts"

/**
 * Runs a command of `care` in this process, and returns its output. By default it has the gateway's URL and the operator's token. What it
 * prints on standard error is added to `errors`.
 */
export const careCommand = Effect.fnUntraced(function* (
  parameters: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  errors: Array<string> = []
) {
  const { secrets, urls } = yield* Suite
  const lines: Array<string> = []
  const capturing: Console.Console = Object.assign(Object.create(console), {
    log: (line: string) => lines.push(line),
    error: (line: string) => errors.push(line)
  })
  const settings = { CARE_URL: urls.gateway, ADMIN_TOKEN: secrets.ADMIN_TOKEN, ...environment }
  yield* runCare(parameters).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(settings)),
    Effect.provideService(Console.Console, capturing)
  )
  return lines.join("\n")
})

/** Returns a field of a printed resource. */
export const fieldIn = (out: string, name: string): string =>
  new RegExp(`^${name}\\s+(\\S+)$`, "m").exec(out)?.[1] ?? ""

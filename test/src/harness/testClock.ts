import { Effect } from "effect"
import { type CallOptions, call } from "./call.ts"
import { makeClinic, makeSandbox } from "./fixtures.ts"

/** The path of the clock of a sandbox. */
export const clockPath = "/api/v1/test/clock"

export const dayMillis = 86_400_000

/** Makes the sandbox of a new organization. */
export const newSandbox = Effect.flatMap(makeClinic, makeSandbox)

/** Reads the clock of a sandbox. */
export const clockOf = (key: string) => call("GET", clockPath, { key })

/** Moves the clock of a sandbox. */
export const advance = (key: string, body: unknown, options: CallOptions = {}) =>
  call("POST", `${clockPath}/advance`, { key, body, ...options })

import type { IncomingMessage } from "node:http"
import { careModeHeader, RequestInvalid, type Staff, StaffRefused } from "@care/domain/http"
import { Effect } from "effect"
import type { ResolvedStaff } from "../keys/index.ts"

const modeRefused = new RequestInvalid({ part: "headers", path: careModeHeader, reason: "must be live or test" })

const operatorRefused = new StaffRefused({ reason: "Operators name a sandbox by its id, without care-mode." })

const noSandbox = new StaffRefused({
  reason: "Your organization has no sandbox yet. Issue a test key first, which makes it."
})

/** Tells whether a request asks for a sandbox that the person's organization did not have when auth answered. */
export const lacksSandbox = ({ headers }: IncomingMessage, { identity, inSandbox }: ResolvedStaff): boolean =>
  headers[careModeHeader] === "test" &&
  inSandbox === undefined &&
  identity.isTest !== true &&
  identity.role !== "OPERATOR"

/** Returns the identity in which a person of staff makes a request, by its header `care-mode`. A sandbox's own members are always in it. */
export const identityInMode = (
  { headers }: IncomingMessage,
  { identity, inSandbox }: ResolvedStaff
): Effect.Effect<Staff, RequestInvalid | StaffRefused> => {
  const mode = headers[careModeHeader] ?? "live"
  if (mode !== "live" && mode !== "test") return Effect.fail(modeRefused)
  if (mode === "live" || identity.isTest === true) return Effect.succeed(identity)
  if (identity.role === "OPERATOR") return Effect.fail(operatorRefused)
  return inSandbox === undefined ? Effect.fail(noSandbox) : Effect.succeed(inSandbox)
}

import { randomUUID } from "node:crypto"
import type { OrganizationId } from "@care/domain/ids"
import { DateTime, Effect, Layer, Option } from "effect"
import type { AuthSettings } from "../src/AuthSettings.ts"
import { OneTimeCodes } from "../src/signIn/codes/OneTimeCodes.ts"
import { layerBase, layerSettings } from "./layerAuth.ts"

/** Provides one-time codes with the settings of a test, on a database of their own. */
export const layerCodes = (changes: Partial<AuthSettings["Service"]> = {}) =>
  OneTimeCodes.layer.pipe(Layer.provide(layerSettings(changes)), Layer.provideMerge(layerBase))

/** Issues a code now. Returns its six digits, or none if it is refused. */
export const issue = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  identifier: string,
  id: string = randomUUID()
) {
  const codes = yield* OneTimeCodes
  const issued = yield* codes.issue(id, { organizationId, identifier, requestedAt: yield* DateTime.nowAsDate })
  return Option.map(issued, ({ code }) => code)
})

/** Issues a code now, and throws if it is refused. */
export const issued = (organizationId: OrganizationId, identifier: string) =>
  Effect.map(issue(organizationId, identifier), Option.getOrThrow)

export const check = (organizationId: OrganizationId, identifier: string, code: string) =>
  Effect.flatMap(OneTimeCodes, (codes) => codes.check(organizationId, identifier, code))

/** Checks a code that must be refused, and returns the tag of the error. */
export const refusal = (organizationId: OrganizationId, identifier: string, code: string) =>
  Effect.map(Effect.flip(check(organizationId, identifier, code)), ({ _tag }) => _tag)

/** Returns a code other than this one. */
export const another = (code: string) => (code === "000000" ? "000001" : "000000")

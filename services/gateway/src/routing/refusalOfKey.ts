import type { Scope } from "@care/domain/auth"
import { callers, ScopeMissing, TestKeyNeeded } from "@care/domain/http"
import type { KnownCaller } from "./Callers.ts"

/** Returns why a caller's key may not be used for an operation, or undefined. */
export const refusalOfKey = (
  { identity, scopes }: Pick<KnownCaller, "identity" | "scopes">,
  needed: Scope | undefined
): ScopeMissing | TestKeyNeeded | undefined => {
  if (needed === undefined) return undefined
  if (needed === "test" && callers.partner.is(identity) && identity.isTest !== true) return new TestKeyNeeded()
  return scopes === undefined || scopes.includes(needed) ? undefined : new ScopeMissing({ scope: needed })
}

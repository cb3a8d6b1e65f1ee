import { type RateLimitRule, rateLimits, type Staff } from "@care/domain/http"
import type { KnownCaller } from "./Callers.ts"

export const isOfStaff = (caller: KnownCaller): caller is KnownCaller<Staff> => caller.identity._tag === "staff"

/** Rules of rate limits, and the name under which a request counts there. */
interface Counted {
  readonly rules: ReadonlyArray<RateLimitRule>
  readonly name: string
}

/**
 * Returns the rules under which a request counts: those of its endpoint, and for a person of staff also one of theirs and one of their
 * organization.
 */
export const countsOf = (rules: ReadonlyArray<RateLimitRule>, caller: KnownCaller): ReadonlyArray<Counted> => [
  ...(rules.length === 0 ? [] : [{ rules, name: caller.name }]),
  ...(isOfStaff(caller)
    ? [
        { rules: [rateLimits.staffOfOrganization], name: caller.identity.organizationId },
        { rules: [rateLimits.staff], name: caller.name }
      ]
    : [])
]

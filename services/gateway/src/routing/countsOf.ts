import { callers, type RateLimitRule, rateLimits, type Staff } from "@care/domain/http"
import type { KnownCaller } from "./Callers.ts"

export const isOfStaff = (caller: KnownCaller): caller is KnownCaller<Staff> => caller.identity._tag === "staff"

/** Rules of rate limits, and the name under which a request counts there. */
interface Counted {
  readonly rules: ReadonlyArray<RateLimitRule>
  readonly name: string
}

/** Returns the organization whose limits and quotas apply to a caller: a partner, or that of staff. Others have limits of their own. */
export const limitedName = (caller: KnownCaller): string =>
  isOfStaff(caller) ? caller.identity.organizationId : caller.name

/**
 * Returns the rules under which a request counts, one after the other: for a person of staff one of theirs and one of their organization,
 * and those of its endpoint. Machines of the operator have no limits.
 */
export const countsOf = (rules: ReadonlyArray<RateLimitRule>, caller: KnownCaller): ReadonlyArray<Counted> => [
  ...(isOfStaff(caller)
    ? [
        { rules: [rateLimits.staff], name: caller.name },
        { rules: [rateLimits.staffOfOrganization], name: caller.identity.organizationId }
      ]
    : []),
  ...(rules.length === 0 || callers.operator.is(caller.identity) ? [] : [{ rules, name: limitedName(caller) }])
]

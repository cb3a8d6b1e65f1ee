import { Context } from "effect"
import type { StoredKind } from "./quotas.ts"

/**
 * The value of the body field `action` that selects an endpoint. Its path in the contract is the public path plus the
 * action; the gateway appends it.
 */
export const Action = Context.Reference<string | undefined>("@care/domain/http/Action", {
  defaultValue: () => undefined
})

/** Requests that one organization may make in a window, beyond which the gateway answers 429. */
export interface RateLimitRule {
  /**
   * In capitals. Endpoints of one name share one count; `RATE_LIMIT_<name>` in the environment changes `requests`. It is the
   * name of the policy in the headers `RateLimit` and `RateLimit-Policy`.
   */
  readonly name: string
  readonly requests: number
  readonly windowSeconds: number
  /** What is counted, for docs/configuration.md. */
  readonly meaning: string
}

/** One of `rateLimits`, for an endpoint that has a limit of its own. */
export const RateLimit = Context.Reference<RateLimitRule | undefined>("@care/domain/http/RateLimit", {
  defaultValue: () => undefined
})

/** What a request adds to that has a quota: one of `addsTo`, for a write of the partner API that partners are told of as an event. */
export const AddsTo = Context.Reference<ReadonlyArray<StoredKind>>("@care/domain/http/AddsTo", {
  defaultValue: () => []
})

/** True for an endpoint that takes the organization's key also in the body, as `key`. The header wins. */
export const KeyInBody = Context.Reference<boolean>("@care/domain/http/KeyInBody", { defaultValue: () => false })

/** How the requests of an API are read (`HttpApi.ParseOptions`): everything that is wrong with one is found, not the first. */
export const allMistakes = { errors: "all" } as const

/** True for an endpoint that takes files in its body, which may be larger for that. */
export const TakesFiles = Context.Reference<boolean>("@care/domain/http/TakesFiles", { defaultValue: () => false })

import { Context } from "effect"
import type { StoredKind } from "./quotas.ts"

/** The value of the body field `action` that selects an endpoint. The gateway appends it to the path of the contract. */
export const Action = Context.Reference<string | undefined>("@care/domain/http/Action", {
  defaultValue: () => undefined
})

/** The most requests of one organization in a window. */
export interface RateLimitRule {
  /** In capitals. Endpoints with one name share one count. `RATE_LIMIT_<name>` changes `requests`. Headers show the name. */
  readonly name: string
  readonly requests: number
  readonly windowSeconds: number
  /** For docs/configuration.md. */
  readonly meaning: string
}

/** The rule of `rateLimits` for an endpoint with a limit of its own. */
export const RateLimit = Context.Reference<RateLimitRule | undefined>("@care/domain/http/RateLimit", {
  defaultValue: () => undefined
})

/** The quotas that a request counts against: a value of `addsTo`. */
export const AddsTo = Context.Reference<ReadonlyArray<StoredKind>>("@care/domain/http/AddsTo", {
  defaultValue: () => []
})

/** Whether an endpoint also takes the organization's key from the body, as `key`. The header wins. */
export const KeyInBody = Context.Reference<boolean>("@care/domain/http/KeyInBody", { defaultValue: () => false })

/** Finds all mistakes of a request, not only the first (`HttpApi.ParseOptions`). */
export const allMistakes = { errors: "all" } as const

/** Whether an endpoint takes files in its body, which may then be larger. */
export const TakesFiles = Context.Reference<boolean>("@care/domain/http/TakesFiles", { defaultValue: () => false })

import { rateWindowSeconds } from "@care/domain/http"
import type { Allowance } from "./RateLimits.ts"

/**
 * Returns the headers of a rate limit (draft-ietf-httpapi-ratelimit-headers-10). A refused caller gets the same time in
 * all three places: that of the body's `retryAfter`.
 */
export const rateLimitHeaders = ({
  isExceeded,
  limit,
  remaining,
  resetSeconds,
  rule: { name }
}: Allowance): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"${name}";q=${limit};w=${rateWindowSeconds}`,
  ratelimit: `"${name}";r=${remaining};t=${isExceeded ? rateWindowSeconds : resetSeconds}`,
  ...(isExceeded && { "retry-after": String(rateWindowSeconds) })
})

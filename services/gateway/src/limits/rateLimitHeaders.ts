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
  rule: { name, windowSeconds }
}: Allowance): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"${name}";q=${limit};w=${windowSeconds}`,
  ratelimit: `"${name}";r=${remaining};t=${isExceeded ? windowSeconds : resetSeconds}`,
  ...(isExceeded && { "retry-after": String(windowSeconds) })
})

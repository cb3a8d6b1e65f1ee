import type { Allowance } from "./RateLimits.ts"

/**
 * What an answer tells of the limit that it counts under, in the form of draft-ietf-httpapi-ratelimit-headers-10. A refused
 * caller is told one time in all three places, which is the body's `retryAfter`.
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

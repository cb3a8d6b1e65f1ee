export { connectionsPerService, InFlight, type LimitHolder, TooManyAtOnce } from "./InFlight.ts"
export { type Allowance, RateLimits, rateLimitHeaders, strictest } from "./RateLimits.ts"
export { layerReachedQuotas, ReachedQuotas } from "./ReachedQuotas.ts"

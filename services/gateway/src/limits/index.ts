export { connectionsPerService, InFlight, type LimitHolder, TooManyAtOnce } from "./InFlight.ts"
export { RateLimits, rateLimitHeaders } from "./RateLimits.ts"
export { layerReachedQuotas, ReachedQuotas } from "./ReachedQuotas.ts"

import { GatewayApi } from "@care/domain/gateway"
import { rateLimits, rateWindowSeconds } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { RateLimits } from "../../limits/index.ts"
import { plainEndpoints } from "../../routing/index.ts"
import { Usages } from "./Usages.ts"

// The rules under which requests with the keys of an organization count.
const ofPartners = new Set(
  plainEndpoints.flatMap(({ caller, rateLimits: rules }) => (caller === "partner" ? rules : []))
)
const partnerRules = Object.values(rateLimits).filter((rule) => ofPartners.has(rule))

export const UsageHandlers = HttpApiBuilder.group(
  GatewayApi,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const usages = yield* Usages
    const rates = yield* RateLimits
    return handlers.handleAll({
      list: ({ params }) => Effect.map(usages.find(params.organizationId), (data) => ({ data, nextCursor: null })),
      rateLimits: ({ params }) =>
        Effect.map(rates.usage(partnerRules, params.organizationId), (used) => ({
          data: used.map(({ limit: allowed, rule: { meaning, name }, used }) => ({
            ...{ name, meaning, used, allowed },
            windowSeconds: rateWindowSeconds
          })),
          nextCursor: null
        }))
    })
  })
)

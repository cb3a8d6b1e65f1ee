import { type RateLimitRule, rateWindowSeconds } from "@care/domain/http"
import { plainEndpoints, sharedPaths } from "../routing/index.ts"
import type { Response } from "./openApiDocument.ts"
import { pathTemplate } from "./pathTemplate.ts"
import { unique } from "./unique.ts"

// A shared path has the rules of all its operations.
const rulesAt = new Map(
  [
    ...plainEndpoints.map(({ endpoint, rateLimits }) => ({ endpoint, rules: rateLimits })),
    ...sharedPaths.map(({ actions, endpoint }) => ({
      endpoint,
      rules: unique(Array.from(actions.values(), ({ rateLimits }) => rateLimits).flat())
    }))
  ].map(({ endpoint: { method, path }, rules }) => [`${method} ${pathTemplate(path)}`, rules])
)

const inWords = ({ name, requests }: RateLimitRule): string =>
  `\`${name}\` (${requests} in ${rateWindowSeconds} seconds)`

/** Returns the rate limit headers of an operation's answers; none for an operation without a limit. */
export const describeRateLimit = (method: string, path: string): NonNullable<Response["headers"]> => {
  const rules = rulesAt.get(`${method.toUpperCase()} ${path}`) ?? []
  const [rule] = rules
  if (rule === undefined) return {}
  const { name, requests } = rule
  const governing =
    rules.length === 1 ? inWords(rule) : `the one of which the least is left: ${rules.map(inWords).join(", ")}`
  return {
    "ratelimit-policy": {
      description: `The limit that the request counts under, unless its key is refused: \`q\` requests of the organization in \`w\` seconds. It is ${governing}`,
      schema: { type: "string" },
      example: `"${name}";q=${requests};w=${rateWindowSeconds}`
    },
    ratelimit: {
      description: "What is left of that limit: `r` requests, and all of them again in `t` seconds",
      schema: { type: "string" },
      example: `"${name}";r=${requests - 1};t=${rateWindowSeconds}`
    }
  }
}

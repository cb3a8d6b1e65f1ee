import { plainEndpoints, sharedPaths } from "../routing/routes.ts"
import type { Response } from "./openApiDocument.ts"
import { pathTemplate } from "./pathTemplate.ts"

// The operations of a shared path that have a limit have one of a name: a caller cannot tell which counts otherwise.
const ruleAt = new Map(
  [
    ...plainEndpoints.map(({ endpoint, rateLimit }) => ({ endpoint, rateLimit })),
    ...sharedPaths.flatMap(({ actions, endpoint }) =>
      Array.from(actions.values(), ({ rateLimit }) => ({ endpoint, rateLimit }))
    )
  ].flatMap(({ endpoint: { method, path }, rateLimit }) =>
    rateLimit === undefined ? [] : [[`${method} ${pathTemplate(path)}`, rateLimit]]
  )
)

/** The headers in which the answers of an operation tell of the limit that it counts under, if there is one. */
export const describeRateLimit = (method: string, path: string): NonNullable<Response["headers"]> => {
  const rule = ruleAt.get(`${method.toUpperCase()} ${path}`)
  if (rule === undefined) return {}
  const { name, requests, windowSeconds } = rule
  return {
    "ratelimit-policy": {
      description:
        "The limit that the request counts under, unless its key is refused: `q` requests of the organization in `w` seconds",
      schema: { type: "string" },
      example: `"${name}";q=${requests};w=${windowSeconds}`
    },
    ratelimit: {
      description: "What is left of that limit: `r` requests, and all of them again in `t` seconds",
      schema: { type: "string" },
      example: `"${name}";r=${requests - 1};t=${windowSeconds}`
    }
  }
}

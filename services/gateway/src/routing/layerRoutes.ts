import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { methodNotAllowed } from "../answers.ts"
import { type Answer, Entry } from "./Entry.ts"
import { ownEndpoints, plainRoutes, sharedPaths } from "./routes.ts"

const allMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/**
 * Every path that callers may use, with 405 for the methods that it does not have. Derived from the contracts. What the
 * gateway answers itself is a route of its API (`layerOwnApi`).
 */
export const layerRoutes = Layer.unwrap(
  Effect.map(Entry, (entry) => {
    const table = new Map<HttpRouter.PathInput, Map<string, Answer | undefined>>()
    const add = ({ method, path }: HttpApiEndpoint.Top, answer: Answer | undefined) => {
      const route: HttpRouter.PathInput = `/${path.slice(1)}`
      table.set(route, (table.get(route) ?? new Map<string, Answer | undefined>()).set(method, answer))
    }
    for (const { endpoint } of ownEndpoints) add(endpoint, undefined)
    for (const route of plainRoutes) add(route.endpoint, entry.plain(route))
    for (const path of sharedPaths) add(path.endpoint, entry.shared(path))

    return HttpRouter.addAll(
      [...table].flatMap(([path, answers]) => {
        const otherMethod = Effect.succeed(methodNotAllowed([...answers.keys()]))
        return allMethods.flatMap((method) => {
          const answer = answers.has(method) ? answers.get(method) : otherMethod
          if (answer === undefined) return []
          return HttpRouter.route(method, path, answer)
        })
      })
    )
  })
)

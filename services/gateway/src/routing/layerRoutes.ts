import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { methodNotAllowed } from "../answers.ts"
import { type Answer, Entry } from "./Entry.ts"
import { plainRoutes, sharedPaths } from "./routes.ts"

const allMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

const notStored = HttpServerResponse.setHeader("cache-control", "no-store")

/** Every path that callers may use, with 405 for the methods that it does not have. Derived from the contracts. */
export const layerRoutes = Layer.unwrap(
  Effect.map(Entry, (entry) => {
    const table = new Map<HttpRouter.PathInput, Map<string, Answer>>()
    const secret = new Set<HttpRouter.PathInput>()
    const add = ({ method, path }: HttpApiEndpoint.Top, answer: Answer, isNoStore: boolean) => {
      const route: HttpRouter.PathInput = `/${path.slice(1)}`
      table.set(route, (table.get(route) ?? new Map<string, Answer>()).set(method, answer))
      if (isNoStore) secret.add(route)
    }
    for (const route of plainRoutes) add(route.endpoint, entry.plain(route), route.isNoStore)
    for (const path of sharedPaths) add(path.endpoint, entry.shared(path), false)

    return HttpRouter.addAll(
      [...table].flatMap(([path, answers]) => {
        const otherMethod = Effect.succeed(methodNotAllowed([...answers.keys()]))
        return allMethods.map((method) => {
          const answer = answers.get(method) ?? otherMethod
          return HttpRouter.route(method, path, secret.has(path) ? Effect.map(answer, notStored) : answer)
        })
      })
    )
  })
)

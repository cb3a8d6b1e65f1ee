import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { methodNotAllowed } from "../answers.ts"
import { Entry } from "./Entry.ts"
import { plainRoutes, sharedPaths } from "./routes.ts"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

const allMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/** Every path that callers may use, with 405 for the methods that it does not have. Derived from the contracts. */
export const layerRoutes = Layer.unwrap(
  Effect.map(Entry, (entry) => {
    const table = new Map<HttpRouter.PathInput, Map<string, Answer>>()
    const add = ({ method, path }: HttpApiEndpoint.Top, answer: Answer) => {
      const route: HttpRouter.PathInput = `/${path.slice(1)}`
      table.set(route, (table.get(route) ?? new Map<string, Answer>()).set(method, answer))
    }
    for (const route of plainRoutes) add(route.endpoint, entry.plain(route))
    for (const path of sharedPaths) add(path.endpoint, entry.shared(path))

    return HttpRouter.addAll(
      [...table].flatMap(([path, answers]) =>
        allMethods.map((method) =>
          HttpRouter.route(method, path, answers.get(method) ?? Effect.succeed(methodNotAllowed([...answers.keys()])))
        )
      )
    )
  })
)

import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { type Answer, Entry } from "./Entry.ts"
import { callbackPath, plainRoutes, sharedPaths } from "./routes.ts"

const routeTo = ({ method, path }: Pick<HttpApiEndpoint.Top, "method" | "path">, answer: Answer) =>
  HttpRouter.route(method, `/${path.slice(1)}`, answer)

/**
 * The routes of every path that a service answers, derived from the contracts. The gateway's own endpoints are in
 * `layerOwnApi`.
 */
export const layerRoutes = Layer.unwrap(
  Effect.map(Entry, (entry) =>
    HttpRouter.addAll([
      ...plainRoutes.map((route) => routeTo(route.endpoint, entry.plain(route))),
      ...plainRoutes
        .filter(({ isCallback }) => isCallback)
        .map((route) => routeTo({ method: route.endpoint.method, path: callbackPath(route) }, entry.plain(route))),
      ...sharedPaths.map((path) => routeTo(path.endpoint, entry.shared(path)))
    ])
  )
)

import { Schema } from "effect"
import type { Kind } from "./Ledger.ts"
import { type ListQuery, pageOf } from "./pageOf.ts"
import { type Route, route } from "./route.ts"

/** Returns the route that lists the objects of a kind. */
export const listRoute = <A extends ListQuery, E>(kind: Kind, path: string, params: Schema.Codec<A, E>): Route =>
  route("GET", path, params, ({ ledger }, query) => pageOf(path, ledger.all(kind), query))

/** Returns the routes that list the objects of a kind, and answer one of them. */
export const readRoutes = <A extends ListQuery, E>(kind: Kind, path: string, params: Schema.Codec<A, E>) => [
  listRoute(kind, path, params),
  route("GET", `${path}/:id`, Schema.Struct({}), ({ ledger }, _, id) => ledger.at(kind, id))
]

import { Schema } from "effect"
import type { Kind } from "./Ledger.ts"
import { invalid } from "./Refusal.ts"
import { type Route, route } from "./route.ts"

interface Times {
  readonly gt?: number
  readonly gte?: number
  readonly lt?: number
  readonly lte?: number
}

/** The parameters of a list. Other fields must equal those of the objects. */
export interface ListQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly ending_before?: string
  readonly created?: number | Times
  readonly [field: string]: unknown
}

const isCreatedWhen = (filter: number | Times | undefined, created: number): boolean => {
  if (filter === undefined) return true
  if (typeof filter === "number") return created === filter
  return (
    created > (filter.gt ?? Number.NEGATIVE_INFINITY) &&
    created >= (filter.gte ?? Number.NEGATIVE_INFINITY) &&
    created < (filter.lt ?? Number.POSITIVE_INFINITY) &&
    created <= (filter.lte ?? Number.POSITIVE_INFINITY)
  )
}

const positionOf = (rows: ReadonlyArray<{ readonly id: string }>, id: string, param: string): number => {
  const position = rows.findIndex((row) => row.id === id)
  if (position < 0) throw invalid(`No such object: '${id}'`, { code: "resource_missing", param })
  return position
}

/** Returns a page of the objects that match the parameters, the newest first. */
export const listPage = <A extends { readonly id: string; readonly created: number }>(
  url: string,
  objects: ReadonlyArray<A>,
  { created, ending_before, limit = 10, starting_after, ...fields }: ListQuery
) => {
  if (limit < 1 || limit > 100) {
    throw invalid("A page has from 1 to 100 things.", { code: "parameter_invalid_integer", param: "limit" })
  }
  const conditions = Object.entries(fields).filter(([, value]) => value !== undefined)
  const rows = objects.filter(
    (one) =>
      isCreatedWhen(created, one.created) && conditions.every(([field, value]) => Reflect.get(one, field) === value)
  )
  if (ending_before !== undefined) {
    const end = positionOf(rows, ending_before, "ending_before")
    const start = Math.max(0, end - limit)
    return { object: "list", data: rows.slice(start, end), has_more: start > 0, url }
  }
  const start = starting_after === undefined ? 0 : positionOf(rows, starting_after, "starting_after") + 1
  return { object: "list", data: rows.slice(start, start + limit), has_more: rows.length > start + limit, url }
}

/** Returns the route that lists the objects of a kind. */
export const listRoute = <A extends ListQuery, E>(kind: Kind, path: string, params: Schema.Codec<A, E>): Route =>
  route("GET", path, params, ({ ledger }, query) => listPage(path, ledger.all(kind), query))

/** Returns the routes that list the objects of a kind, and answer one of them. */
export const readRoutes = <A extends ListQuery, E>(kind: Kind, path: string, params: Schema.Codec<A, E>) => [
  listRoute(kind, path, params),
  route("GET", `${path}/:id`, Schema.Struct({}), ({ ledger }, _, id) => ledger.at(kind, id))
]

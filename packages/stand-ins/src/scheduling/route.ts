import type { Schema } from "effect"
import type { Answer } from "../standIn/Answer.ts"
import type { Call } from "./Call.ts"
import { readParams } from "./readParams.ts"

/** A request, by the route that it found. */
export interface Found {
  /** The path with its query. */
  readonly path: string
  /** What stands in the path for `:event` and the like, in its order. */
  readonly ids: ReadonlyArray<string>
  /** The body of a POST, the query of a GET. */
  readonly given: unknown
}

/** What the provider does for a method and a path: at once, and never waiting. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE"
  readonly pattern: RegExp
  readonly run: (call: Call, found: Found) => Answer
}

const statuses = { GET: 200, POST: 201, DELETE: 204 } as const

/** A route, with the schema of what it is given and the status that it is answered with. */
export const route = <A, E>(
  method: Route["method"],
  path: string,
  params: Schema.Codec<A, E>,
  run: (call: Call, given: A, found: Found) => unknown
): Route => ({
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, "([^/]+)")}$`),
  run: (call, found) => ({
    status: statuses[method],
    body: run(call, readParams(params, found.given), found)
  })
})

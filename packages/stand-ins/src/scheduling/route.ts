import type { Schema } from "effect"
import type { StandInAnswer } from "../standIn/serveStandIn.ts"
import type { Call } from "./Call.ts"
import { readParams } from "./readParams.ts"

/** A request that matched a route. */
export interface Found {
  /** The path with its query. */
  readonly path: string
  /** The values of `:event` and the like in the path, in order. */
  readonly ids: ReadonlyArray<string>
  /** The body of a POST, the query of a GET. */
  readonly params: unknown
}

/** An operation of the API, which never waits. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE"
  readonly pattern: RegExp
  readonly run: (call: Call, found: Found) => StandInAnswer
}

const statuses = { GET: 200, POST: 201, DELETE: 204 } as const

/** Returns a route with the schema of its parameters. The method decides the status of its answer. */
export const route = <A, E>(
  method: Route["method"],
  path: string,
  params: Schema.Codec<A, E>,
  run: (call: Call, params: A, found: Found) => unknown
): Route => ({
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, "([^/]+)")}$`),
  run: (call, found) => ({
    status: statuses[method],
    body: run(call, readParams(params, found.params), found)
  })
})

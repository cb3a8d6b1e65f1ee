import type { Schema } from "effect"
import type { Call } from "./Call.ts"
import type { ParsedForm } from "./readForm.ts"
import { readParams } from "./readParams.ts"

/** An operation of the API: its method, and its path with `:id` in place of an id. */
export interface Route {
  readonly method: "DELETE" | "GET" | "POST"
  readonly path: string
  /** Reads the parameters, or refuses them, and returns the work, which never waits. */
  readonly prepare: (form: ParsedForm, id: string) => (call: Call) => unknown
}

/** Returns a route with the schema of its parameters. */
export const route = <A, E>(
  method: Route["method"],
  path: string,
  params: Schema.Codec<A, E>,
  run: (call: Call, decoded: A, id: string) => unknown
): Route => ({
  method,
  path,
  prepare: (form, id) => {
    const decoded = readParams(params, form)
    return (call) => run(call, decoded, id)
  }
})

import type { Schema } from "effect"
import type { Call } from "./Call.ts"
import type { Form } from "./readForm.ts"
import { readParams } from "./readParams.ts"

/** What Stripe does for a method and a path, in which `:id` stands for the id of a thing. */
export interface Route {
  readonly method: "DELETE" | "GET" | "POST"
  readonly path: string
  /** Reads what a request says, which may be refused, for what then is done: at once, and never waiting. */
  readonly prepare: (form: Form, id: string) => (call: Call) => unknown
}

/** A route, with the schema of its parameters. What is done gets these, and the id of the path. */
export const route = <A, E>(
  method: Route["method"],
  path: string,
  params: Schema.Codec<A, E>,
  run: (call: Call, given: A, id: string) => unknown
): Route => ({
  method,
  path,
  prepare: (form, id) => {
    const given = readParams(params, form)
    return (call) => run(call, given, id)
  }
})

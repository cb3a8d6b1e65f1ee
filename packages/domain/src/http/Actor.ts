import { Schema } from "effect"

/**
 * Who made a change. `id` is the id of an `API_KEY`, a `USER` (staff) or a `PATIENT`, the queue of a `JOB`, or the name of a `SERVICE`.
 * It is null for the others.
 */
export const Actor = Schema.Struct({
  type: Schema.Literals([
    "API_KEY",
    "USER",
    "PATIENT",
    "OPERATOR",
    "JOB",
    "SERVICE",
    "PHARMACY",
    "STRIPE",
    "SCHEDULING"
  ]),
  id: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Actor" })
export type Actor = typeof Actor.Type

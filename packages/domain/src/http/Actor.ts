import { Schema } from "effect"

/** Who made a change. `id` is the id of a key, a user or a patient, the queue of a job, or the name of a service, and null for others. */
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

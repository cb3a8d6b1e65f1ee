import { Schema } from "effect"

/**
 * Who made a change. `id` is the key's of `API_KEY`, the person's of `USER` (staff) and of `PATIENT` (who signed in), the queue's name
 * of `JOB`, the name of `SERVICE`; operators, the pharmacy, Stripe and the scheduling provider have none.
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

import { Context } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"

/** What the public document says of the groups of actions on a user: they are one operation there, whichever they are in. */
export const describeUserOperations = Context.make(OpenApi.Title, "Users").pipe(
  Context.add(OpenApi.Description, "Look a patient up, and change their profile, email or payment information.")
)

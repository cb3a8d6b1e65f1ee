import { Context } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"

/**
 * The title and description of the public document for all groups of actions on a user, which are one operation there.
 */
export const describeUserOperations = Context.make(OpenApi.Title, "Users").pipe(
  Context.add(OpenApi.Description, "Look up a user, and change a patient's profile, email or payment information.")
)

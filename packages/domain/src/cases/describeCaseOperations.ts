import { Context } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"

/**
 * The title and description of the public document for all groups of actions on a case, which are one operation there.
 */
export const describeCaseOperations = Context.make(OpenApi.Title, "Case operations").pipe(
  Context.add(OpenApi.Description, "Operations on an existing case. The `action` of the body selects the operation.")
)

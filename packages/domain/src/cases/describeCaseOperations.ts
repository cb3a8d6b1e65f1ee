import { Context } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"

/** What the public document says of the groups of actions on a case: they are one operation there, whichever they are in. */
export const describeCaseOperations = Context.make(OpenApi.Title, "Case operations").pipe(
  Context.add(OpenApi.Description, "What is done on a case that exists: the body's `action` says which.")
)

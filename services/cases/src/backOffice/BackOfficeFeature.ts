import { Layer } from "effect"
import { Comments } from "../comments/Comments.ts"
import { Decisions } from "../decisions/Decisions.ts"
import { Attachments } from "../documents/Attachments.ts"
import { Lifecycle } from "../lifecycle/Lifecycle.ts"
import { Reading } from "../reading/Reading.ts"
import { BackOfficeHandlers } from "./http.ts"

/** The care team's work on cases. */
export const BackOfficeFeature = BackOfficeHandlers.pipe(
  Layer.provide([Attachments.layer, Comments.layer, Decisions.layer, Lifecycle.layer, Reading.layer])
)

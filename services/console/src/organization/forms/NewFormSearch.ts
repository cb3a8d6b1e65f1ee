import { FormId } from "@care/domain/ids"
import { Schema } from "effect"

/** The search parameters of the editor: the form that the new one begins as a copy of. */
export const NewFormSearch = Schema.Struct({ from: Schema.optionalKey(FormId) })

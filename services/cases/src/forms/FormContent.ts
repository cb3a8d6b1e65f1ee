import { FormAnswer } from "@care/domain"
import { Schema } from "effect"

/** What a form response says: what was asked, and what was answered. Stored as JSON, sealed. */
const FormContent = Schema.Struct({
  description: Schema.NullOr(Schema.String),
  questions: Schema.Array(FormAnswer)
})
export type FormContent = typeof FormContent.Type

const Stored = Schema.fromJsonString(FormContent)

/** The JSON of a form response's content, before it is sealed. */
export const encodeFormContent = Schema.encodeSync(Stored)

/** A form response's content from its JSON, after it was opened. */
export const decodeFormContent = Schema.decodeUnknownSync(Stored)

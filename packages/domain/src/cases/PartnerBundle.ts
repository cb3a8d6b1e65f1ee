import { Schema } from "effect"
import { BundleId, FormId, QuestionId } from "../Ids.ts"
import { QuestionType } from "./Form.ts"

/** A bundle as its partner reads it. `price` and `initialDiscount` are decimals in major units of `priceUnit`. */
export const PartnerBundle = Schema.Struct({
  id: BundleId,
  name: Schema.String,
  imageUrl: Schema.String,
  description: Schema.String,
  price: Schema.String,
  priceUnit: Schema.String,
  initialDiscount: Schema.String,
  isSoldOut: Schema.Boolean,
  isVisible: Schema.Boolean
}).annotate({ identifier: "PartnerBundle" })
export type PartnerBundle = typeof PartnerBundle.Type

// `index` counts from 0.
const BundleQuestion = Schema.Struct({
  id: QuestionId,
  text: Schema.String,
  type: QuestionType,
  hint: Schema.String,
  placeholder: Schema.String,
  isPHI: Schema.Boolean,
  options: Schema.Array(Schema.String),
  required: Schema.Boolean,
  renderMode: Schema.Null,
  index: Schema.Natural,
  condition: Schema.Null,
  organizationDocument: Schema.Null
})

/** The intake or follow-up form of a bundle. */
export const BundleForm = Schema.Struct({
  id: FormId,
  name: Schema.String,
  description: Schema.String,
  isActive: Schema.Boolean,
  questions: Schema.Array(BundleQuestion)
}).annotate({ identifier: "BundleForm" })
export type BundleForm = typeof BundleForm.Type

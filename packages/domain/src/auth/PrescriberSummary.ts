import { Schema } from "effect"

/** A prescriber as shown with a decision. Unknown fields are empty. */
export const PrescriberSummary = Schema.Struct({
  firstName: Schema.String,
  lastName: Schema.String,
  title: Schema.String,
  titleSuffix: Schema.String,
  email: Schema.String,
  phoneNumber: Schema.String,
  npi: Schema.String,
  dea: Schema.String,
  address: Schema.String,
  address2: Schema.NullOr(Schema.String),
  city: Schema.String,
  state: Schema.String,
  postalCode: Schema.String,
  country: Schema.NullOr(Schema.String)
})
export type PrescriberSummary = typeof PrescriberSummary.Type

import { Schema } from "effect"

const text = Schema.NullOr(Schema.String)

/** The columns of a user's address. */
export const addressColumns = {
  address: text,
  address2: text,
  city: text,
  state: text,
  country: text,
  postalCode: text
}

import { Schema } from "effect"
import { Decimal } from "../http/Decimal.ts"
import { nonBlankUpTo, Text } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, ProductId } from "../Ids.ts"

/** A product that an organization offers. `price` is in major units of `currency` (ISO 4217). */
export class Product extends Schema.Class<Product>("Product")({
  id: ProductId,
  organizationId: OrganizationId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  price: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(Schema.String),
  createdAt: Timestamp
}) {}

/** A new product. */
export const NewProduct = Schema.Struct({
  name: nonBlankUpTo(200),
  description: Schema.optional(Text),
  price: Schema.optional(Decimal),
  currency: Schema.optional(
    Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/, { message: "must be three capital letters" }))
  )
})
export type NewProduct = typeof NewProduct.Type

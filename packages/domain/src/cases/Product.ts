import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { Decimal, nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, ProductId } from "../Ids.ts"
import { Currency } from "../payments/Currency.ts"

/** A product of an organization. `price` is in major units of `currency` (ISO 4217). No new case may have an archived one. */
export const Product = Schema.Struct({
  id: ProductId,
  organizationId: OrganizationId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  price: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(Schema.String),
  isArchived: Schema.Boolean,
  createdAt: Timestamp
}).annotate({ identifier: "Product" })
export type Product = typeof Product.Type

export const NewProduct = Schema.Struct({
  name: nonBlankUpTo(lengths.line),
  description: Schema.optional(textUpTo(lengths.paragraph)),
  price: Schema.optional(Decimal),
  currency: Schema.optional(Currency)
})
export type NewProduct = typeof NewProduct.Type

/** A change of a product. Null removes what it names. */
export const ProductChange = Schema.Struct({
  name: Schema.optional(NewProduct.fields.name),
  description: Schema.optionalKey(Schema.NullOr(textUpTo(lengths.paragraph))),
  price: Schema.optionalKey(Schema.NullOr(Decimal)),
  currency: Schema.optionalKey(Schema.NullOr(Currency)),
  isArchived: Schema.optional(Schema.Boolean)
})
export type ProductChange = typeof ProductChange.Type

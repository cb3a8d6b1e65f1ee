import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { atMost, optionalListUpTo } from "../http/listUpTo.ts"
import { Decimal, nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { WebUrlOrEmpty } from "../http/WebUrl.ts"
import { BundleId, FormId, OrganizationId, ProductId } from "../Ids.ts"
import { Currency } from "../payments/Currency.ts"

/** A bundle of products with its forms, as the admin API shows it. Prices are in major units of `priceUnit`. Partners' lists have no archived ones. */
export const Bundle = Schema.Struct({
  id: BundleId,
  organizationId: OrganizationId,
  name: Schema.String,
  description: Schema.String,
  imageUrl: Schema.String,
  price: Schema.String,
  priceUnit: Schema.String,
  initialDiscount: Schema.String,
  isSoldOut: Schema.Boolean,
  isVisible: Schema.Boolean,
  productIds: Schema.Array(ProductId),
  intakeFormId: Schema.NullOr(FormId),
  followupFormId: Schema.NullOr(FormId),
  isArchived: Schema.Boolean,
  createdAt: Timestamp
}).annotate({ identifier: "Bundle" })
export type Bundle = typeof Bundle.Type

/** A new bundle. Its products and forms must be the organization's own. */
export const NewBundle = Schema.Struct({
  name: nonBlankUpTo(lengths.line),
  description: textUpTo(lengths.paragraph),
  imageUrl: WebUrlOrEmpty,
  price: Decimal,
  priceUnit: Currency,
  initialDiscount: Decimal,
  isSoldOut: Schema.Boolean,
  isVisible: Schema.Boolean,
  productIds: optionalListUpTo(ProductId, atMost("products")),
  intakeFormId: Schema.optional(FormId),
  followupFormId: Schema.optional(FormId)
})
export type NewBundle = typeof NewBundle.Type

/** A change of a bundle. Null removes a form. */
export const BundleChange = Schema.Struct({
  name: Schema.optional(NewBundle.fields.name),
  description: Schema.optional(NewBundle.fields.description),
  imageUrl: Schema.optional(NewBundle.fields.imageUrl),
  price: Schema.optional(Decimal),
  priceUnit: Schema.optional(Currency),
  initialDiscount: Schema.optional(Decimal),
  isSoldOut: Schema.optional(Schema.Boolean),
  isVisible: Schema.optional(Schema.Boolean),
  productIds: NewBundle.fields.productIds,
  intakeFormId: Schema.optionalKey(Schema.NullOr(FormId)),
  followupFormId: Schema.optionalKey(Schema.NullOr(FormId)),
  isArchived: Schema.optional(Schema.Boolean)
})
export type BundleChange = typeof BundleChange.Type

import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { atMost, optionalListUpTo } from "../http/listUpTo.ts"
import { Decimal, nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { WebUrlOrEmpty } from "../http/WebUrl.ts"
import { BundleId, FormId, OrganizationId, ProductId } from "../Ids.ts"
import { Currency } from "../payments/Currency.ts"

/** A bundle of products with its forms, as the admin API shows it. Prices are in major units of `priceUnit`. */
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

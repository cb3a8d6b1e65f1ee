import { Schema, SchemaTransformation } from "effect"
import { lengths } from "../http/bounds.ts"
import { atMost, optionalListUpTo } from "../http/listUpTo.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { BundleId, OrganizationId, PromoCodeId } from "../Ids.ts"
import { FlatDiscount, PercentDiscount } from "./PromoDiscount.ts"

/** The term that finds a promo code: its code or name, trimmed and in lower case. */
export const PromoTerm = Schema.String.pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decode(SchemaTransformation.toLowerCase()),
  Schema.brand("PromoTerm")
)
export type PromoTerm = typeof PromoTerm.Type

const decodeTerm = Schema.decodeSync(PromoTerm)

export const promoTermOf = (text: string): PromoTerm => decodeTerm(text)

/**
 * A promo code. A global one has no `organizationId`; it has one of the two discounts; without `bundleIds` it applies
 * to everything. `redemptions` counts its uses, `maxRedemptions` limits them.
 */
export const PromoCode = Schema.Struct({
  id: PromoCodeId,
  organizationId: Schema.NullOr(OrganizationId),
  code: Schema.String,
  name: Schema.NullOr(Schema.String),
  flatDiscount: Schema.NullOr(FlatDiscount),
  percentDiscount: Schema.NullOr(PercentDiscount),
  isActive: Schema.Boolean,
  expiresAt: Schema.NullOr(Timestamp),
  bundleIds: Schema.Array(BundleId),
  maxRedemptions: Schema.NullOr(Schema.Int),
  redemptions: Schema.Int,
  createdAt: Timestamp
}).annotate({ identifier: "PromoCode" })
export type PromoCode = typeof PromoCode.Type

const TrimmedText = nonBlankUpTo(lengths.reference).pipe(Schema.decode(SchemaTransformation.trim()))

const MaxRedemptions = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }))

const exactlyOneDiscount = Schema.makeFilter<{ readonly flatDiscount?: unknown; readonly percentDiscount?: unknown }>(
  ({ flatDiscount, percentDiscount }) =>
    (flatDiscount === undefined) === (percentDiscount === undefined)
      ? { path: ["flatDiscount"], issue: "exactly one of flatDiscount and percentDiscount is required" }
      : undefined
)

/** A new promo code: of an organization, or global without `organizationId`. */
export const NewPromoCode = Schema.Struct({
  code: TrimmedText,
  name: Schema.optional(TrimmedText),
  organizationId: Schema.optional(OrganizationId),
  flatDiscount: Schema.optional(FlatDiscount),
  percentDiscount: Schema.optional(PercentDiscount),
  isActive: Schema.optional(Schema.Boolean),
  expiresAt: Schema.optional(Timestamp),
  bundleIds: optionalListUpTo(BundleId, atMost("bundles")),
  maxRedemptions: Schema.optional(MaxRedemptions)
})
  .check(exactlyOneDiscount)
  .annotate({ identifier: "NewPromoCode" })
export type NewPromoCode = typeof NewPromoCode.Type

/** A change of a promo code; null removes a bound. The discount cannot change after uses. */
export const PromoCodeChange = Schema.Struct({
  isActive: Schema.optional(Schema.Boolean),
  expiresAt: Schema.optionalKey(Schema.NullOr(Timestamp)),
  maxRedemptions: Schema.optionalKey(Schema.NullOr(MaxRedemptions))
}).annotate({ identifier: "PromoCodeChange" })
export type PromoCodeChange = typeof PromoCodeChange.Type

/** No usable promo code has this code or name. */
export class PromoCodeNotFound extends Schema.TaggedError<PromoCodeNotFound>()("PromoCodeNotFound", {
  code: Schema.String,
  /** Whether an unusable one has it. */
  isKnown: Schema.Boolean
}) {}

/** No promo code has this id. */
export class PromoCodeUnknown extends Schema.TaggedError<PromoCodeUnknown>()("PromoCodeUnknown", {
  promoCodeId: PromoCodeId
}) {}

/** Another promo code of the same organization, or another global one, has this code or name. */
export class PromoCodeTaken extends Schema.TaggedError<PromoCodeTaken>()("PromoCodeTaken", {}) {}

import { Schema, SchemaTransformation } from "effect"
import { lengths } from "../http/bounds.ts"
import { atMost, optionalListUpTo } from "../http/listUpTo.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { BundleId, OrganizationId, PromoCodeId } from "../Ids.ts"
import { FlatDiscount, PercentDiscount } from "./PromoDiscount.ts"

/** What a promo code is found by: its code or its name, without regard to letter case and white space around it. */
export const PromoTerm = Schema.String.pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decode(SchemaTransformation.toLowerCase()),
  Schema.brand("PromoTerm")
)
export type PromoTerm = typeof PromoTerm.Type

const decodeTerm = Schema.decodeSync(PromoTerm)

/** The term of what somebody wrote. */
export const promoTermOf = (written: string): PromoTerm => decodeTerm(written)

/**
 * A promo code. `organizationId` is null of a global one; one of the discounts is null; without `bundleIds` it is for
 * everything. `redemptions` is how often it was used, `maxRedemptions` how often it may be, if there is a limit.
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

const spoken = nonBlankUpTo(lengths.reference).pipe(Schema.decode(SchemaTransformation.trim()))

const MaxRedemptions = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }))

const exactlyOneDiscount = Schema.makeFilter<{ readonly flatDiscount?: unknown; readonly percentDiscount?: unknown }>(
  ({ flatDiscount, percentDiscount }) =>
    (flatDiscount === undefined) === (percentDiscount === undefined)
      ? { path: ["flatDiscount"], issue: "exactly one of flatDiscount and percentDiscount is required" }
      : undefined
)

/** A new promo code: of an organization, or global without `organizationId`. */
export const NewPromoCode = Schema.Struct({
  code: spoken,
  name: Schema.optional(spoken),
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

/** What changes of a promo code; null takes a bound away. What it takes off stays, because it was used with it. */
export const PromoCodeChange = Schema.Struct({
  isActive: Schema.optional(Schema.Boolean),
  expiresAt: Schema.optionalKey(Schema.NullOr(Timestamp)),
  maxRedemptions: Schema.optionalKey(Schema.NullOr(MaxRedemptions))
}).annotate({ identifier: "PromoCodeChange" })
export type PromoCodeChange = typeof PromoCodeChange.Type

/** No promo code, or none that may be used, has this code or name. */
export class PromoCodeNotFound extends Schema.TaggedError<PromoCodeNotFound>()("PromoCodeNotFound", {
  code: Schema.String,
  /** There is one, which may not be used. */
  isKnown: Schema.Boolean
}) {}

/** No promo code has this id. */
export class PromoCodeUnknown extends Schema.TaggedError<PromoCodeUnknown>()("PromoCodeUnknown", {
  promoCodeId: PromoCodeId
}) {}

/** Another promo code of the same organization, or another global one, has the code or the name as its code or name. */
export class PromoCodeTaken extends Schema.TaggedError<PromoCodeTaken>()("PromoCodeTaken", {}) {}

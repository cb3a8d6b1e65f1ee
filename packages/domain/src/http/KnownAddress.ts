import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { optionalUpTo } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

/** An address with at least a street. */
export const KnownAddress = Schema.Struct({
  addressLine1: Schema.String,
  addressLine2: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String),
  country: Schema.NullOr(Schema.String),
  postalCode: Schema.NullOr(Schema.String)
}).annotate({ identifier: "KnownAddress" })
export type KnownAddress = typeof KnownAddress.Type

export const ReportedAddress = Schema.Struct({ address: KnownAddress, reportedAt: Timestamp })
export type ReportedAddress = typeof ReportedAddress.Type

const part = optionalUpTo(lengths.line)

export const PostalAddress = Schema.Struct({
  addressLine1: part,
  addressLine2: part,
  city: part,
  state: part,
  country: part,
  postalCode: part
})
type PostalAddress = typeof PostalAddress.Type

/** Returns the known address of a request, or null without a street. */
export const knownAddress = (address: PostalAddress | undefined): KnownAddress | null =>
  address?.addressLine1 === undefined
    ? null
    : {
        addressLine1: address.addressLine1,
        addressLine2: address.addressLine2 ?? null,
        city: address.city ?? null,
        state: address.state ?? null,
        country: address.country ?? null,
        postalCode: address.postalCode ?? null
      }

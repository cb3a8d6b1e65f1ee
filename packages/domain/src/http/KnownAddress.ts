import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { optionalUpTo } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

/** An address with a street at least. */
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
export const knownAddress = (given: PostalAddress | undefined): KnownAddress | null =>
  given?.addressLine1 === undefined
    ? null
    : {
        addressLine1: given.addressLine1,
        addressLine2: given.addressLine2 ?? null,
        city: given.city ?? null,
        state: given.state ?? null,
        country: given.country ?? null,
        postalCode: given.postalCode ?? null
      }

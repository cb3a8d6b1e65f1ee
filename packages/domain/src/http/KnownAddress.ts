import { Schema } from "effect"
import { Timestamp } from "./Timestamp.ts"

/** Where something is sent to, as far as it is known: the street at least. */
export const KnownAddress = Schema.Struct({
  addressLine1: Schema.String,
  addressLine2: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String),
  country: Schema.NullOr(Schema.String),
  postalCode: Schema.NullOr(Schema.String)
}).annotate({ identifier: "KnownAddress" })
export type KnownAddress = typeof KnownAddress.Type

/** An address, and when it was told. */
export const ReportedAddress = Schema.Struct({ address: KnownAddress, toldAt: Timestamp })
export type ReportedAddress = typeof ReportedAddress.Type

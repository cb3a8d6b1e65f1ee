import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import type { KnownAddress } from "./KnownAddress.ts"
import { optionalUpTo } from "./Text.ts"

const part = optionalUpTo(lengths.line)

/** Where something is sent to, as intake takes it: every part may be missing. */
export const PostalAddress = Schema.Struct({
  addressLine1: part,
  addressLine2: part,
  city: part,
  state: part,
  country: part,
  postalCode: part
})
type PostalAddress = typeof PostalAddress.Type

/** The same as what is known of it; null without a street. */
export const knownAddress = (told: PostalAddress | undefined): KnownAddress | null =>
  told?.addressLine1 === undefined
    ? null
    : {
        addressLine1: told.addressLine1,
        addressLine2: told.addressLine2 ?? null,
        city: told.city ?? null,
        state: told.state ?? null,
        country: told.country ?? null,
        postalCode: told.postalCode ?? null
      }

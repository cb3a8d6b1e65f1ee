import { Predicate, Schema, SchemaTransformation, Struct } from "effect"
import { Country, TwoLetters, usStateRefusal, ZipCode, zipCodeRefusal } from "../http/addressCodes.ts"
import { lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { missingReason } from "../http/mistakesIn.ts"
import { isPresent, type JsonObject, readingOnly } from "../http/readingOnly.ts"
import { nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { usStates } from "../http/usStates.ts"

// An empty text is reported as missing, not as malformed.
const filled = (code: Schema.Codec<string, string>, description: string) =>
  nonBlankUpTo(lengths.code).annotate({ description }).pipe(Schema.decodeTo(code))

const ShippingAddress = Schema.Struct({
  line1: nonBlankUpTo(lengths.line),
  line2: Schema.optional(textUpTo(lengths.line)),
  city: nonBlankUpTo(lengths.name),
  state: filled(TwoLetters, "Two letters; in the US, the code of a state"),
  country: filled(Country, "An ISO 3166 country code of two letters"),
  postal_code: nonBlankUpTo(lengths.code).annotate({ description: "In the US, 5 digits or ZIP+4" })
})

const isZipCode = Schema.is(ZipCode)

// States and the form of postal codes are known only for the US.
const isThere = Schema.makeFilter<typeof ShippingAddress.Type>(({ country, postal_code, state }) => {
  if (country !== "US") return []
  const stateIssues = usStates.has(state) ? [] : [{ path: ["state"], issue: usStateRefusal }]
  return isZipCode(postal_code) ? stateIssues : [...stateIssues, { path: ["postal_code"], issue: zipCodeRefusal }]
})

/** The body of `POST /api/v1/complete-payment-setup`. */
export const PaymentSetup = Schema.Struct({
  gatewaySetupID: nonBlankUpTo(lengths.reference),
  shippingAddress: ShippingAddress.check(isThere)
}).annotate({ identifier: "PaymentSetup" })
export type PaymentSetup = typeof PaymentSetup.Type

const Address = Schema.Struct({
  addressLine1: nonBlankUpTo(lengths.line),
  addressLine2: textUpTo(lengths.line),
  city: nonBlankUpTo(lengths.name),
  state: nonBlankUpTo(lengths.line),
  country: nonBlankUpTo(lengths.line),
  postalCode: nonBlankUpTo(lengths.code)
})

const reference = nonBlankUpTo(lengths.reference)

const Details = Schema.Struct({
  email: Email,
  gatewaySetupId: reference,
  gatewayPaymentToken: reference,
  shippingAddress: Address
})

const names = Struct.keys(Details.fields)

const eitherPlace = "Required, at the top level or in `data`. The top level takes precedence"

const detailFields = {
  email: Schema.optional(Email).annotate({ description: eitherPlace }),
  gatewaySetupId: Schema.optional(reference).annotate({ description: eitherPlace }),
  gatewayPaymentToken: Schema.optional(reference).annotate({ description: eitherPlace }),
  shippingAddress: Schema.optional(Address).annotate({ description: eitherPlace })
}

const Body = Schema.Struct({
  action: Schema.Literal("UPDATE_PAYMENT_INFO"),
  ...detailFields,
  data: Schema.optional(Schema.Struct(detailFields)).annotate({
    description: "The fields that are not at the top level. Ignored if all fields are at the top level"
  })
})

const isComplete = Schema.makeFilter<typeof Body.Type>(({ data, ...root }) =>
  names
    .filter((name) => root[name] === undefined && data?.[name] === undefined)
    .map((name) => ({ path: data === undefined ? [name] : ["data", name], issue: missingReason }))
)

const detailsOf = Schema.decodeUnknownSync(Schema.toType(Details))

// A field next to `data` overrides the one in it.
const relevant = (members: JsonObject): JsonObject => {
  const { data, ...root } = members
  const atRoot = names.filter((name) => isPresent(root[name]))
  if (atRoot.length === names.length) return root
  return Predicate.isObject(data) ? { ...root, data: Struct.omit(data, atRoot) } : members
}

/** The body of UPDATE_PAYMENT_INFO. Each field is next to `data` or in it; once decoded all are in one place. */
export const PaymentInfo = readingOnly(
  "UpdatePaymentInfo",
  Body.check(isComplete).pipe(
    Schema.decodeTo(
      Schema.toType(Details),
      SchemaTransformation.transform({
        // `isComplete` has checked that all fields exist.
        decode: ({ data, ...root }) =>
          detailsOf(Object.fromEntries(names.map((name) => [name, root[name] ?? data?.[name]]))),
        encode: (details) => ({ action: "UPDATE_PAYMENT_INFO" as const, ...details })
      })
    )
  ),
  relevant
)
export type PaymentInfo = typeof PaymentInfo.Type

import { Schema, SchemaTransformation } from "effect"
import { lengths } from "../http/bounds.ts"
import { Country } from "../http/Country.ts"
import { Email } from "../http/Email.ts"
import { missingReason } from "../http/mistakesIn.ts"
import { nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { TwoLetters } from "../http/TwoLetters.ts"
import { usStateRefusal, usStates } from "../http/UsState.ts"
import { ZipCode, zipCodeRefusal } from "../http/ZipCode.ts"

// An empty one is missing, before it is one of another form.
const filled = (code: Schema.Codec<string, string>, description: string) =>
  nonBlankUpTo(lengths.code).annotate({ description }).pipe(Schema.decodeTo(code))

const ShippingAddress = Schema.Struct({
  line1: nonBlankUpTo(lengths.line),
  line2: Schema.optional(textUpTo(lengths.line)),
  city: nonBlankUpTo(lengths.name),
  state: filled(TwoLetters, "2 letters: in the US, the code of a state"),
  country: filled(Country, "A 2-letter code of ISO 3166"),
  postal_code: nonBlankUpTo(lengths.code).annotate({ description: "In the US, 5 digits, or 5+4 digits" })
})

const isZipCode = Schema.is(ZipCode)

// What states there are, and how postal codes look, is known of the US alone.
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

const details = {
  gatewaySetupId: nonBlankUpTo(lengths.reference),
  gatewayPaymentToken: nonBlankUpTo(lengths.reference),
  shippingAddress: Schema.Struct({
    addressLine1: nonBlankUpTo(lengths.line),
    addressLine2: textUpTo(lengths.line),
    city: nonBlankUpTo(lengths.name),
    state: nonBlankUpTo(lengths.line),
    country: nonBlankUpTo(lengths.line),
    postalCode: nonBlankUpTo(lengths.code)
  })
}

const Body = Schema.Struct({
  action: Schema.Literal("UPDATE_PAYMENT_INFO"),
  email: Schema.optional(Email),
  data: Schema.Struct({ email: Schema.optional(Email), ...details })
})

const namesOnePerson = Schema.makeFilter<typeof Body.Type>(({ data, email }) => {
  if (email === undefined && data.email === undefined) return [{ path: ["email"], issue: missingReason }]
  const isSame = email === undefined || data.email === undefined || email === data.email
  return isSame ? [] : [{ path: ["data", "email"], issue: "must be the same as `email` beside `data`" }]
})

/** The body of UPDATE_PAYMENT_INFO. Its `email` may be beside `data` or in it; once decoded all is in one place. */
export const PaymentInfo = Body.check(namesOnePerson)
  .annotate({ identifier: "UpdatePaymentInfo" })
  .pipe(
    Schema.decodeTo(
      Schema.Struct({ email: Schema.String, ...details }),
      SchemaTransformation.transform({
        // There is one: that was checked.
        decode: ({ data: { email: inner = "", ...data }, email = inner }) => ({ email, ...data }),
        encode: ({ email, ...data }) => ({ action: "UPDATE_PAYMENT_INFO" as const, email, data })
      })
    )
  )
export type PaymentInfo = typeof PaymentInfo.Type

import { Schema } from "effect"
import { Email } from "../http/Email.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"

/** An email, or else a phone number. */
export const UserIdentifier = Schema.Struct({
  email: Schema.optionalKey(Email),
  phoneNumber: Schema.optionalKey(PhoneNumber)
})
export type UserIdentifier = typeof UserIdentifier.Type

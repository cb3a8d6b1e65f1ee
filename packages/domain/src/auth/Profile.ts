import { Schema, SchemaGetter, SchemaTransformation } from "effect"
import { Country, TwoLetters, ZipCode } from "../http/addressCodes.ts"
import { lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { Language, languagesOf } from "../http/Language.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { shownMoment } from "../http/shownAnswers.ts"
import { shownIds } from "../http/shownIds.ts"
import { anyCase, nameUpTo, nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { UserId } from "../Ids.ts"
import { BirthDate, Gender } from "./Patient.ts"
import { Role } from "./Role.ts"
import { StreetAddress } from "./StreetAddress.ts"

const healthText = textUpTo(lengths.paragraph)

/** The messages that a patient refuses: `notificationsDisabled` is about email. */
export const Communication = Schema.Struct({
  smsNotificationsDisabled: Schema.Boolean,
  notificationsDisabled: Schema.Boolean
})

// A blank line is null.
const SecondLine = Schema.NullOr(textUpTo(lengths.line)).pipe(
  Schema.decode({
    decode: SchemaGetter.transform((line) => (line?.trim() === "" ? null : line)),
    encode: SchemaGetter.passthrough()
  })
)

/** A change of a patient's profile. `email` identifies the patient; absent fields stay, `address2: null` is removed. */
export const ProfileChange = Schema.Struct({
  email: Email,
  firstName: Schema.optional(nameUpTo(lengths.name)),
  lastName: Schema.optional(nameUpTo(lengths.name)),
  dob: Schema.optional(BirthDate),
  gender: Schema.optional(anyCase(Gender)),
  phoneNumber: Schema.optional(PhoneNumber),
  address: Schema.optional(StreetAddress),
  address2: Schema.optionalKey(SecondLine),
  city: Schema.optional(nonBlankUpTo(lengths.name)),
  state: Schema.optional(TwoLetters),
  country: Schema.optional(Country),
  postalCode: Schema.optional(ZipCode),
  allergies: Schema.optional(healthText),
  currentMedications: Schema.optional(healthText),
  healthConditions: Schema.optional(healthText),
  languagePreferences: languagesOf(Language),
  communication: Schema.optional(
    Schema.Struct({
      smsNotificationsDisabled: Schema.optional(Schema.Boolean),
      notificationsDisabled: Schema.optional(Schema.Boolean)
    })
  )
})
export type ProfileChange = typeof ProfileChange.Type

// Stored as a day; shown as the start of that day in UTC, or as an empty text when unknown.
const BirthDay = Schema.String.pipe(
  Schema.encodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (moment: string) => moment.slice(0, 10),
      encode: (day: string) => (day === "" ? "" : `${day}T00:00:00.000Z`)
    })
  )
)

/** A patient's contact data, as UPDATE_EMAIL answers it. Unknown fields are empty. */
export const Contact = Schema.Struct({
  email: Schema.String,
  firstName: Schema.String,
  lastName: Schema.String,
  dob: BirthDay,
  phoneNumber: Schema.String,
  gender: Schema.Literals([...Gender.literals, ""]),
  address: Schema.String,
  address2: Schema.NullOr(Schema.String),
  city: Schema.String,
  state: Schema.String,
  country: Schema.String,
  postalCode: Schema.String
}).annotate({ identifier: "Contact" })
export type Contact = typeof Contact.Type

/** A patient's profile. `dob` is shown as a timestamp. */
export const Profile = Schema.Struct({
  id: UserId,
  ...Contact.fields,
  allergies: Schema.String,
  currentMedications: Schema.String,
  healthConditions: Schema.String,
  languagePreferences: Schema.Array(Schema.String),
  communication: Communication,
  role: Role,
  isActive: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Profile" })
export type Profile = typeof Profile.Type

/** No user of any organization has this email. */
export class EmailUnknown extends Schema.TaggedError<EmailUnknown>()("EmailUnknown", { email: Schema.String }) {}

/** Only users of other organizations have this email. */
export class UserOutside extends Schema.TaggedError<UserOutside>()("UserOutside", { email: Schema.String }) {}

export class NotAPatient extends Schema.TaggedError<NotAPatient>()("NotAPatient", {}) {}

/** The user has cases that were worked on: name, birth date and gender are locked. */
export class ProfileLocked extends Schema.TaggedError<ProfileLocked>()("ProfileLocked", {}) {}

/** The new email is taken: in the organization, in another one, or as a login. */
export class NewEmailTaken extends Schema.TaggedError<NewEmailTaken>()("NewEmailTaken", {
  email: Schema.String,
  by: Schema.Literals(["organization", "database", "authentication"])
}) {}

/** Neither an email nor a phone number was given. */
export class IdentifierMissing extends Schema.TaggedError<IdentifierMissing>()("IdentifierMissing", {}) {}

export const contactExample: Contact = {
  email: "maria@example.com",
  firstName: "Maria",
  lastName: "Lopez",
  dob: "1988-04-12",
  phoneNumber: "+14155552671",
  gender: "FEMALE",
  address: "1200 Broadway",
  address2: null,
  city: "Oakland",
  state: "CA",
  country: "US",
  postalCode: "94612"
}

export const profileExample: Profile = {
  id: UserId.make(shownIds.patient),
  ...contactExample,
  email: "maria.lopez@example.com",
  allergies: "Penicillin",
  currentMedications: "",
  healthConditions: "",
  languagePreferences: ["en"],
  communication: { smsNotificationsDisabled: true, notificationsDisabled: false },
  role: "USER",
  isActive: true,
  createdAt: shownMoment,
  updatedAt: shownMoment
}

import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { UserId } from "../Ids.ts"
import { Role } from "./Role.ts"

/** How a person is shown inside other resources: submitter, assignee, author, uploader, organizer, participant. */
export class UserSummary extends Schema.Class<UserSummary>("UserSummary")({
  id: UserId,
  email: Schema.String,
  firstName: Schema.String,
  lastName: Schema.String,
  role: Role,
  phoneNumber: Schema.NullOr(Schema.String),
  isActive: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** A member of an organization with what a prescriber is shown by. */
export class Member extends Schema.Class<Member>("Member")({
  ...UserSummary.fields,
  title: Schema.NullOr(Schema.String),
  titleSuffix: Schema.NullOr(Schema.String),
  npi: Schema.NullOr(Schema.String),
  dea: Schema.NullOr(Schema.String),
  licensedStates: Schema.Array(Schema.String)
}) {}

/** No user has this id. */
export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", { userId: UserId }) {}

/** The email belongs to another user already. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", { email: Schema.String }) {}

/** The phone number belongs to another user already. */
export class PhoneNumberTaken extends Schema.TaggedError<PhoneNumberTaken>()("PhoneNumberTaken", {}) {}

/** The user is no active provider of the organization. */
export class ProviderUnknown extends Schema.TaggedError<ProviderUnknown>()("ProviderUnknown", { userId: UserId }) {}

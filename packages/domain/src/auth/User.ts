import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { UserId } from "../Ids.ts"
import { Role } from "./Role.ts"

/** A person as shown in other resources: submitter, assignee, author, uploader, organizer, participant. */
export const UserSummary = Schema.Struct({
  id: UserId,
  email: Schema.String,
  firstName: Schema.String,
  lastName: Schema.String,
  role: Role,
  /** Empty when unknown. */
  phoneNumber: Schema.String,
  isActive: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "UserSummary" })
export type UserSummary = typeof UserSummary.Type

/** A member of an organization, with the details of a prescriber. */
export const Member = Schema.Struct({
  ...UserSummary.fields,
  phoneNumber: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String),
  titleSuffix: Schema.NullOr(Schema.String),
  npi: Schema.NullOr(Schema.String),
  dea: Schema.NullOr(Schema.String),
  licensedStates: Schema.Array(Schema.String)
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", { userId: UserId }) {}

/** The email belongs to another user of the organization. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", { email: Schema.String }) {}

/** The phone number belongs to another user of the organization. */
export class PhoneNumberTaken extends Schema.TaggedError<PhoneNumberTaken>()("PhoneNumberTaken", {}) {}

/** The email belongs to a member of the organization's staff, who cannot be a patient there. */
export class EmailOfStaff extends Schema.TaggedError<EmailOfStaff>()("EmailOfStaff", {}) {}

/** The user is not an active member of the organization's staff. */
export class StaffUnknown extends Schema.TaggedError<StaffUnknown>()("StaffUnknown", { userId: UserId }) {}

/** The user is not an active provider of the organization. */
export class ProviderUnknown extends Schema.TaggedError<ProviderUnknown>()("ProviderUnknown", { userId: UserId }) {}

/** The user is the only active operator. */
export class LastOperator extends Schema.TaggedError<LastOperator>()("LastOperator", {}) {}

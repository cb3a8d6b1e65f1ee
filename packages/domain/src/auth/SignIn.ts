import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { ok } from "../http/ok.ts"
import { PhoneNumber } from "../http/PhoneNumber.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { UserId } from "../Ids.ts"
import type { PatientIdentifier } from "./Patient.ts"
import { SixDigits } from "./SixDigits.ts"

export const MessageChannel = Schema.Literals(["EMAIL", "SMS"])
export type MessageChannel = typeof MessageChannel.Type

const identifier = { email: Schema.optional(Email), phoneNumber: Schema.optional(PhoneNumber) }

const exactlyOne = Schema.makeFilter<PatientIdentifier>(({ email, phoneNumber }) =>
  (email === undefined) === (phoneNumber === undefined) ? "exactly one of email and phoneNumber is required" : undefined
)

const fittingChannel = Schema.makeFilter<PatientIdentifier & { readonly channel?: MessageChannel | undefined }>(
  ({ channel, email }) =>
    channel !== undefined && (channel === "EMAIL") !== (email !== undefined)
      ? { path: ["channel"], issue: "must fit the identifier" }
      : undefined
)

/** A request for a one-time code. `channel`, if given, must fit the identifier. */
export const SendCode = Schema.Struct({ ...identifier, channel: Schema.optional(MessageChannel) })
  .check(exactlyOne, fittingChannel)
  .annotate({ identifier: "SendCode" })

/** Exchanges a one-time code for tokens. The identifier must be the one that the code was sent to. */
export const VerifyCode = Schema.Struct({
  ...identifier,
  code: SixDigits
})
  .check(exactlyOne)
  .annotate({ identifier: "VerifyCode" })

export const PresentToken = Schema.Struct({ refresh_token: nonBlankUpTo(lengths.secret) })

/** A patient's tokens. `expiresIn` is in seconds, for the access token. */
export const SignedIn = ok({
  accessToken: Schema.String,
  expiresIn: Schema.Natural,
  refreshToken: Schema.String,
  refreshTokenExpiresAt: Timestamp,
  patientId: UserId
}).annotate({ identifier: "SignedIn" })
export type SignedIn = typeof SignedIn.Type

/** No patient of the organization has the identifier. */
export class CredentialsInvalid extends Schema.TaggedError<CredentialsInvalid>()("CredentialsInvalid", {}) {}

/** The patient has no usable code: none was sent, or it is used, expired or was tried too often. */
export class CodeUnavailable extends Schema.TaggedError<CodeUnavailable>()("CodeUnavailable", {}) {}

/** The code is wrong. The attempt counts. */
export class CodeMismatch extends Schema.TaggedError<CodeMismatch>()("CodeMismatch", {}) {}

/** A parallel request used the code first. */
export class CodeUsed extends Schema.TaggedError<CodeUsed>()("CodeUsed", {}) {}

/** No refresh token has this hash. */
export class RefreshTokenUnknown extends Schema.TaggedError<RefreshTokenUnknown>()("RefreshTokenUnknown", {}) {}

/** The refresh token was issued through another organization. */
export class RefreshTokenForeign extends Schema.TaggedError<RefreshTokenForeign>()("RefreshTokenForeign", {}) {}

/** The refresh token was used or revoked before. Its whole family is revoked now. */
export class RefreshTokenReused extends Schema.TaggedError<RefreshTokenReused>()("RefreshTokenReused", {}) {}

/** The refresh token was not used for 30 days. */
export class RefreshTokenExpired extends Schema.TaggedError<RefreshTokenExpired>()("RefreshTokenExpired", {}) {}

/** The sign-in is older than 90 days. */
export class RefreshLifetimeExceeded extends Schema.TaggedError<RefreshLifetimeExceeded>()(
  "RefreshLifetimeExceeded",
  {}
) {}

/** The user was deleted, or has no access to the organization any more. */
export class SignedInUserGone extends Schema.TaggedError<SignedInUserGone>()("SignedInUserGone", {}) {}

import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, StaffSessionId, UserId } from "../Ids.ts"
import { StaffRole } from "./Role.ts"

/** `PENDING`: the person has used a one-time code, and no passkey or recovery code yet. */
export const StaffSessionState = Schema.Literals(["PENDING", "ACTIVE"])
export type StaffSessionState = typeof StaffSessionState.Type

/**
 * A session of staff that may be used. `steppedUpAt` is when the person last proved within it who they are. `sandboxId` is that of their
 * organization, if it has one.
 */
export const ResolvedStaffSession = Schema.Struct({
  sessionId: StaffSessionId,
  userId: UserId,
  organizationId: OrganizationId,
  role: StaffRole,
  state: StaffSessionState,
  steppedUpAt: Schema.NullOr(Timestamp),
  expiresAt: Timestamp,
  /** Whether it is a session of a sandbox's own member. */
  isTest: Schema.optionalKey(Schema.Literal(true)),
  sandboxId: Schema.optionalKey(OrganizationId)
})
export type ResolvedStaffSession = typeof ResolvedStaffSession.Type

/** The session of the request: who is signed in, and until when. */
export const OwnStaffSession = Schema.Struct({
  sessionId: StaffSessionId,
  state: StaffSessionState,
  steppedUpAt: Schema.NullOr(Timestamp),
  expiresAt: Timestamp,
  idleSeconds: Schema.Natural.annotate({ description: "It ends earlier if it is not used for so many seconds" }),
  hasPasskeys: Schema.Boolean,
  recoveryCodesLeft: Schema.Natural,
  draftKey: Schema.NullOr(Schema.String).annotate({
    description:
      "32 bytes in base64url, the same in all sessions of the person. The console encrypts drafts with it in the browser (AES-GCM). Null while the session is `PENDING`"
  }),
  user: Schema.Struct({
    id: UserId,
    email: Schema.String,
    firstName: Schema.String,
    lastName: Schema.String,
    role: StaffRole
  }),
  organization: Schema.Struct({ id: OrganizationId, name: Schema.String }),
  sandboxId: Schema.NullOr(OrganizationId).annotate({
    description: "The sandbox of the organization, in which requests with `care-mode: test` work. Null if there is none"
  })
}).annotate({ identifier: "OwnStaffSession" })
export type OwnStaffSession = typeof OwnStaffSession.Type

/** `CLI`: the session of a device that a person approved. */
export const StaffSessionKind = Schema.Literals(["BROWSER", "CLI"])
export type StaffSessionKind = typeof StaffSessionKind.Type

/** A session as its person and their administrators see it. */
export const StaffSession = Schema.Struct({
  id: StaffSessionId,
  kind: StaffSessionKind,
  client: Schema.NullOr(Schema.String).annotate({
    description:
      "The browser and system in words, such as `Firefox on Windows`, or `care login on Linux`. Null if unknown"
  }),
  passkeyName: Schema.NullOr(Schema.String).annotate({
    description: "The passkey that it began with. Null without one, or if it was deleted"
  }),
  state: StaffSessionState,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp
}).annotate({ identifier: "StaffSession" })
export type StaffSession = typeof StaffSession.Type

/** A one-time code of a member of staff in the mailbox of development. */
export const SentCode = Schema.Struct({ code: Schema.String, sentAt: Timestamp }).annotate({ identifier: "SentCode" })
export type SentCode = typeof SentCode.Type

/** No session has the token: it is unknown, expired or ended, or its person or organization is not active. */
export class SessionUnknown extends Schema.TaggedError<SessionUnknown>()("SessionUnknown", {}) {}

/** No session of the caller, or of a member whom the caller administers, has the id. */
export class StaffSessionNotFound extends Schema.TaggedError<StaffSessionNotFound>()("StaffSessionNotFound", {
  sessionId: StaffSessionId
}) {}

/** No code that is valid now was sent to the email, or the code is another one. */
export class StaffCodeRejected extends Schema.TaggedError<StaffCodeRejected>()("StaffCodeRejected", {}) {}

/** The recovery code is unknown or used. */
export class RecoveryCodeRejected extends Schema.TaggedError<RecoveryCodeRejected>()("RecoveryCodeRejected", {}) {}

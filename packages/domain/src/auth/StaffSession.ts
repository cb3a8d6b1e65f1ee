import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, StaffSessionId, UserId } from "../Ids.ts"
import { StaffRole } from "./Role.ts"

/** `PENDING`: the person has used a one-time code, and no passkey or recovery code yet. */
export const StaffSessionState = Schema.Literals(["PENDING", "ACTIVE"])
export type StaffSessionState = typeof StaffSessionState.Type

/** A session of staff that may be used. `steppedUpAt` is when the person last used a passkey within it. */
export const ResolvedStaffSession = Schema.Struct({
  sessionId: StaffSessionId,
  userId: UserId,
  organizationId: OrganizationId,
  role: StaffRole,
  state: StaffSessionState,
  steppedUpAt: Schema.NullOr(Timestamp),
  expiresAt: Timestamp
})
export type ResolvedStaffSession = typeof ResolvedStaffSession.Type

/** No session has the token: it is unknown, expired or revoked, or its person or organization is not active. */
export class SessionUnknown extends Schema.TaggedError<SessionUnknown>()("SessionUnknown", {}) {}

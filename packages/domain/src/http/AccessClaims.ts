import { Schema } from "effect"
import { Role } from "../auth/Role.ts"
import { OrganizationId, type SessionId, UserId } from "../Ids.ts"

/** What an access token says of the patient who signed in, and through which organization. */
export const AccessClaims = Schema.Struct({
  userId: UserId,
  organizationId: OrganizationId,
  type: Schema.Literal("patient-portal"),
  role: Role,
  organizationAccessRole: Role
})
export type AccessClaims = typeof AccessClaims.Type

/** The claims of a token that was verified, with the session that it belongs to. */
export interface VerifiedClaims extends AccessClaims {
  readonly sessionId: SessionId
}

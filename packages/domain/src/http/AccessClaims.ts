import { Schema } from "effect"
import { Role } from "../auth/Role.ts"
import { OrganizationId, UserId } from "../Ids.ts"

/** What an access token says of the patient who signed in, and through which organization. */
export const AccessClaims = Schema.Struct({
  userId: UserId,
  organizationId: OrganizationId,
  type: Schema.Literal("patient-portal"),
  role: Role,
  organizationAccessRole: Role
})
export type AccessClaims = typeof AccessClaims.Type

/** The claims of a token that was verified: `iat` says when it was issued, in seconds since 1970. */
export const VerifiedClaims = Schema.Struct({ ...AccessClaims.fields, iat: Schema.Finite })
export type VerifiedClaims = typeof VerifiedClaims.Type

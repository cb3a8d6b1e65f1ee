import { Schema } from "effect"
import { OrganizationId } from "../Ids.ts"
import { UserSummary } from "./User.ts"

/**
 * Internal: how a person of an organization is shown, as of a version of their record. Whoever keeps it keeps the newest
 * version that it was told of.
 */
export const PersonFact = Schema.Struct({
  organizationId: OrganizationId,
  version: Schema.Int,
  person: UserSummary
})
export type PersonFact = typeof PersonFact.Type

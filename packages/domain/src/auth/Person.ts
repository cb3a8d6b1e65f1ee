import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { OrganizationId } from "../Ids.ts"
import { UserSummary } from "./User.ts"

/**
 * Internal: how a person of an organization is shown, as of a version of their record. Whoever keeps it keeps the newest
 * version that it was told of.
 */
export const PersonFact = Schema.Struct({
  organizationId: OrganizationId,
  version: Schema.Int,
  person: Schema.Struct({
    ...UserSummary.fields,
    email: textUpTo(lengths.email),
    firstName: textUpTo(lengths.name),
    lastName: textUpTo(lengths.name),
    phoneNumber: textUpTo(lengths.code)
  })
})
export type PersonFact = typeof PersonFact.Type

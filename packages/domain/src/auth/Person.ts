import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { atMost, listUpTo } from "../http/listUpTo.ts"
import { textUpTo } from "../http/Text.ts"
import { OrganizationId } from "../Ids.ts"
import { UserSummary } from "./User.ts"

/**
 * Internal: how a person of an organization is shown, and where they live and may work, as of a version of their record.
 * Whoever keeps it keeps the newest version that it was told of.
 */
export const PersonSnapshot = Schema.Struct({
  organizationId: OrganizationId,
  version: Schema.Int,
  person: Schema.Struct({
    ...UserSummary.fields,
    email: textUpTo(lengths.email),
    firstName: textUpTo(lengths.name),
    lastName: textUpTo(lengths.name),
    phoneNumber: textUpTo(lengths.code)
  }),
  /** The code of a US state, or what was told in place of one; empty when nothing was. */
  state: textUpTo(lengths.line),
  /** The codes of the US states that a provider may work in; empty when that is not known. */
  licensedStates: listUpTo(textUpTo(lengths.code), atMost("states"))
})
export type PersonSnapshot = typeof PersonSnapshot.Type

import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { atMost, listUpTo } from "../http/listUpTo.ts"
import { makeReplica } from "../http/makeReplica.ts"
import { textUpTo } from "../http/Text.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { UserSummary } from "./User.ts"

/** A version of a person's record, with where they live and are licensed. */
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
  /** The code of a US state, or the text given in its place; empty when unknown. */
  state: textUpTo(lengths.line),
  /** The codes of the US states in which a provider is licensed; empty when unknown. */
  licensedStates: listUpTo(textUpTo(lengths.code), atMost("states"))
})
export type PersonSnapshot = typeof PersonSnapshot.Type

/** The cases service stores how people are shown. */
export const personReplica = makeReplica("people", "cases", UserId, PersonSnapshot)

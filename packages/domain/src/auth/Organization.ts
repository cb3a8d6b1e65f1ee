import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId } from "../Ids.ts"

/**
 * A partner of the platform. A disabled one's keys are refused, and it is told of nothing until it is enabled again. `contactEmail` is where it is told of what concerns its
 * connection to us; its active administrators are when there is none.
 */
export const Organization = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  contactEmail: Schema.NullOr(Schema.String),
  isDisabled: Schema.Boolean,
  createdAt: Timestamp
}).annotate({ identifier: "Organization" })
export type Organization = typeof Organization.Type

/** What services that send to an organization keep of it: of two facts the one with the higher version is true. */
export const OrganizationSnapshot = Schema.Struct({
  organizationId: OrganizationId,
  version: Schema.Int,
  isDisabled: Schema.Boolean
})
export type OrganizationSnapshot = typeof OrganizationSnapshot.Type

export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {
  organizationId: OrganizationId
}) {}

import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId } from "../Ids.ts"

/**
 * A partner of the platform. A disabled organization's keys are refused, and it gets no webhooks. `contactEmail` gets
 * notices about its endpoints; without one, its active administrators do.
 */
export const Organization = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  contactEmail: Schema.NullOr(Schema.String),
  isDisabled: Schema.Boolean,
  createdAt: Timestamp
}).annotate({ identifier: "Organization" })
export type Organization = typeof Organization.Type

/** A versioned copy of an organization, for services that send to it. The highest version wins. */
export const OrganizationSnapshot = Schema.Struct({
  organizationId: OrganizationId,
  version: Schema.Int,
  isDisabled: Schema.Boolean
})
export type OrganizationSnapshot = typeof OrganizationSnapshot.Type

export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {
  organizationId: OrganizationId
}) {}

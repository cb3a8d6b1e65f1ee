import { Schema } from "effect"
import { makeReplica } from "../http/makeReplica.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId } from "../Ids.ts"
import { Mode } from "./Mode.ts"

/**
 * A partner of the platform. A disabled organization's keys are refused, and it gets no webhooks. `contactEmail` gets
 * notices about its endpoints; without one, its active administrators do. A live one may have a sandbox, which is an organization of its own
 * with the mode `test`.
 */
export const Organization = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  mode: Mode,
  /** The organization whose sandbox it is. */
  liveOrganizationId: Schema.NullOr(OrganizationId),
  contactEmail: Schema.NullOr(Schema.String),
  isDisabled: Schema.Boolean,
  /** Whether its staff with the role SUPPORT may read the answers to forms. */
  supportMayReadAnswers: Schema.Boolean,
  /** The version of the partner API in which its requests are without the header `care-version`. */
  apiVersion: Schema.String,
  createdAt: Timestamp,
  /** Only if there are several cells. */
  cell: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Organization" })
export type Organization = typeof Organization.Type

/** Whether an organization is disabled, and what its support may read, as of a version of its record. Version 1 sends no `supportMayReadAnswers`. */
export const OrganizationSnapshot = Schema.Struct({
  organizationId: OrganizationId,
  version: Schema.Int,
  isDisabled: Schema.Boolean,
  supportMayReadAnswers: Schema.optionalKey(Schema.Boolean)
})
export type OrganizationSnapshot = typeof OrganizationSnapshot.Type

/** The cases service stores snapshots of organizations, because it sends their events and shows their answers. */
export const organizationReplica = makeReplica("organizations", "cases", OrganizationId, OrganizationSnapshot)

export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {
  organizationId: OrganizationId
}) {}

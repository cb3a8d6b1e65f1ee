import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId } from "../Ids.ts"

/** A partner of the platform. A disabled one's keys are refused. */
export class Organization extends Schema.Class<Organization>("Organization")({
  id: OrganizationId,
  name: Schema.String,
  isDisabled: Schema.Boolean,
  createdAt: Timestamp
}) {}

/** No organization has this id. */
export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {
  organizationId: OrganizationId
}) {}

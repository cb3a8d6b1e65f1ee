import { Schema } from "effect"
import { ApiKeyId, OrganizationId } from "../Ids.ts"

/** A partner's request: the organization that its key resolved to. */
export class PartnerIdentity extends Schema.TaggedClass<PartnerIdentity>()("partner", {
  organizationId: OrganizationId,
  apiKeyId: ApiKeyId,
  requestId: Schema.String
}) {}

/** A request of an operator or the back office, made with the admin token. */
export class OperatorIdentity extends Schema.TaggedClass<OperatorIdentity>()("operator", {
  requestId: Schema.String
}) {}

/** A request of somebody with a signed link, which the service checks. */
export class LinkIdentity extends Schema.TaggedClass<LinkIdentity>()("link", { requestId: Schema.String }) {}

/** A call of one service (or the gateway) to another on its own behalf. */
export class ServiceIdentity extends Schema.TaggedClass<ServiceIdentity>()("service", {
  service: Schema.String,
  requestId: Schema.String
}) {}

/** Who an internal call is made for. Travels as a short-lived signed token that the gateway or a service mints. */
export const Identity = Schema.Union([PartnerIdentity, OperatorIdentity, LinkIdentity, ServiceIdentity])
export type Identity = typeof Identity.Type

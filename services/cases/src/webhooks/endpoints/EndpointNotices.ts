import { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { DisabledReason } from "@care/domain/webhooks"
import { Job } from "@care/service-kit"
import { Schema } from "effect"

/** Has an organization told by email that one of its endpoints was disabled: a job committed with that. */
export class EndpointNotices extends Job.make<EndpointNotices>()("webhook-endpoint-notice", {
  version: 1,
  schema: Schema.Struct({
    organizationId: OrganizationId,
    endpointId: WebhookEndpointId,
    reason: DisabledReason
  }),
  attempts: 20,
  concurrency: 2
}) {}

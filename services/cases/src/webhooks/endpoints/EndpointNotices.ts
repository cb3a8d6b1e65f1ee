import { noticesApi } from "@care/domain/auth"
import { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { DisabledReason } from "@care/domain/webhooks"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { makeWebhookEndpointsRepo } from "./WebhookEndpointsRepo.ts"

/**
 * A job that has auth tell an organization by email that one of its endpoints was disabled. It is offered in the transaction that
 * disables the endpoint, and does nothing when that is deleted meanwhile.
 */
export class EndpointNotices extends Job.make<EndpointNotices>()("webhook-endpoint-notice", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, endpointId: WebhookEndpointId, reason: DisabledReason }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {
  static readonly layerWorker = EndpointNotices.worker(
    Effect.gen(function* () {
      const auth = yield* peer(noticesApi, "notices")
      const repo = yield* makeWebhookEndpointsRepo

      return Effect.fnUntraced(function* (notice, key) {
        const endpoint = yield* repo.find(notice.organizationId, notice.endpointId)
        if (Option.isNone(endpoint)) return
        const { host } = new URL(endpoint.value.url)
        yield* auth.ofEndpoint({ payload: { ...notice, key, host } })
      })
    })
  )
}

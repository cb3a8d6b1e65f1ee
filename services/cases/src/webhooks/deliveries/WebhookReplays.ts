import { PagePosition } from "@care/domain/http"
import { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { inTransaction, Quotas } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeSendAgain } from "./makeSendAgain.ts"
import { makeReplaysRepo } from "./ReplaysRepo.ts"

const pageSize = 500

const noRoom = Effect.logWarning("A replay ended, because its organization has as many deliveries as it may")

const noEndpoint = Effect.logInfo("A replay ended, because its endpoint was disabled or deleted")

/**
 * Sends the events of a range to an endpoint: all that were sent to it before, or all that are missing. The latter ends at the
 * organization's quota of deliveries, and both end when the endpoint is disabled. A job does a page, and offers the next one in its
 * transaction.
 */
export class WebhookReplays extends Job.make<WebhookReplays>()("webhook-replay", {
  version: 1,
  schema: Schema.Struct({
    organizationId: OrganizationId,
    endpointId: WebhookEndpointId,
    kind: Schema.Literals(["ALL", "MISSING"]),
    since: Schema.Date,
    until: Schema.Date,
    after: PagePosition
  }),
  retries: Job.upTo(20),
  concurrency: 2,
  perOrganization: 1,
  cancelledWith: ({ endpointId }) => endpointId
}) {
  static readonly layerWorker = WebhookReplays.worker(
    Effect.gen(function* () {
      const quotas = yield* Quotas
      const repo = yield* makeReplaysRepo
      const replays = yield* WebhookReplays
      const sendAgain = yield* makeSendAgain
      const sql = yield* SqlClient.SqlClient

      return (payload, id) =>
        Effect.gen(function* () {
          if (!(yield* repo.isEnabled(payload.organizationId, payload.endpointId))) return yield* noEndpoint
          if (payload.kind === "MISSING") {
            if (quotas.isReached(payload.organizationId, "DELIVERIES")) return yield* noRoom
            yield* quotas.recountSoon(payload.organizationId, "DELIVERIES")
          }
          const page = yield* (payload.kind === "ALL" ? repo.inRange : repo.missing)(payload, pageSize)
          const chosen = page.flatMap(({ eventId, isChosen }) => (isChosen ? [eventId] : []))
          if (chosen.length > 0) yield* sendAgain(payload.organizationId, [payload.endpointId], chosen)
          const last = page.at(-1)
          if (last === undefined || page.length < pageSize) return
          const after = { createdAt: last.createdAt, id: last.id }
          // The key keeps a repeated page from offering the next one twice.
          yield* replays.offer({ ...payload, after }, { key: id })
        }).pipe(inTransaction(sql))
    })
  )
}

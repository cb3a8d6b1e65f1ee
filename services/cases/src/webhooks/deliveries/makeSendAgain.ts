import type { OrganizationId, WebhookEndpointId, WebhookEventId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DeliveryNews } from "./DeliveryNews.ts"
import { makeReplaysRepo } from "./ReplaysRepo.ts"

/**
 * Has events sent to endpoints again, or for the first time, with ten attempts more: their deliveries. In the transaction
 * under way, or one of its own.
 */
export const makeSendAgain = Effect.gen(function* () {
  const news = yield* DeliveryNews
  const repo = yield* makeReplaysRepo
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    endpointIds: ReadonlyArray<WebhookEndpointId>,
    eventIds: ReadonlyArray<WebhookEventId>
  ) {
    yield* repo.lock(organizationId, endpointIds, eventIds)
    const queued = yield* repo.send(organizationId, endpointIds, eventIds, yield* DateTime.nowAsDate)
    yield* news.tell
    return queued
  }, inTransaction(sql))
})

import type { OrganizationId, WebhookEndpointId, WebhookEventId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { makeReplaysRepo } from "./ReplaysRepo.ts"

/**
 * Sends events to endpoints again, or for the first time, each with ten more attempts. Returns the deliveries. It runs once in a
 * transaction: the one under way, or one of its own.
 */
export const makeSendAgain = Effect.gen(function* () {
  const wakeUp = yield* DeliveryWakeUp
  const repo = yield* makeReplaysRepo
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    endpointIds: ReadonlyArray<WebhookEndpointId>,
    eventIds: ReadonlyArray<WebhookEventId>
  ) {
    const now = yield* DateTime.nowAsDate
    const queued = yield* Effect.forEach(
      endpointIds,
      Effect.fnUntraced(function* (id) {
        yield* repo.add(organizationId, id, eventIds)
        yield* repo.lock(organizationId, id, eventIds)
        return yield* repo.send(organizationId, id, eventIds, now)
      })
    )
    yield* repo.makeDue(organizationId, endpointIds, now)
    yield* wakeUp.tell
    return queued.flat()
  }, inTransaction(sql))
})

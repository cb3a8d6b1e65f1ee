import { type OrganizationSnapshot, organizationReplica } from "@care/domain/auth"
import { makeSnapshots } from "@care/replicas"
import { inTransaction } from "@care/service-kit"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeWebhookEndpointsRepo } from "../endpoints/WebhookEndpointsRepo.ts"
import { makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"

/**
 * Makes the function that accepts a snapshot of an organization. Nothing is sent to endpoints of one that is disabled, except for attempts
 * under way; events wait. Once it is enabled again, deliveries go on where they stopped, and earlier failures are forgotten.
 */
export const makeAcceptOrganization = Effect.gen(function* () {
  const endpoints = yield* makeWebhookEndpointsRepo
  const organizations = yield* makeSnapshots(organizationReplica, {
    table: "organization_snapshots",
    id: "organizationId"
  })
  const queues = yield* makeDeliveryQueuesRepo
  const sql = yield* SqlClient.SqlClient
  const wakeUp = yield* DeliveryWakeUp

  return Effect.fn("acceptOrganization")(function* (snapshot: OrganizationSnapshot) {
    const [before] = yield* organizations.find(snapshot.organizationId, [snapshot.organizationId])
    if (!(yield* organizations.keep(snapshot)) || snapshot.isDisabled === (before?.isDisabled ?? false)) return
    yield* endpoints.lockList(snapshot.organizationId)
    if (!snapshot.isDisabled) yield* endpoints.forgetFailures(snapshot.organizationId)
    yield* queues.refresh(snapshot.organizationId, undefined, yield* DateTime.nowAsDate)
    yield* wakeUp.tell
  }, inTransaction(sql))
})

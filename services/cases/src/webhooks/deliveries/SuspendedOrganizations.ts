import type { OrganizationSnapshot } from "@care/domain/auth"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeWebhookEndpointsRepo } from "../endpoints/WebhookEndpointsRepo.ts"
import { makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { makeSuspendedOrganizationsRepo } from "./SuspendedOrganizationsRepo.ts"

/** Organizations that are disabled. Nothing is sent to their endpoints, and events wait for them. */
export class SuspendedOrganizations extends Context.Service<
  SuspendedOrganizations,
  {
    /**
     * Stores what auth says of an organization, unless something newer is stored. Once it is disabled, only attempts under way end.
     * Once it is enabled again, deliveries go on where they stopped, and earlier failures are forgotten.
     */
    readonly organizationChanged: (snapshot: OrganizationSnapshot) => Effect.Effect<void>
  }
>()("@care/cases/webhooks/SuspendedOrganizations") {
  static readonly layer = Layer.effect(
    SuspendedOrganizations,
    Effect.gen(function* () {
      const endpoints = yield* makeWebhookEndpointsRepo
      const wakeUp = yield* DeliveryWakeUp
      const queues = yield* makeDeliveryQueuesRepo
      const repo = yield* makeSuspendedOrganizationsRepo
      const sql = yield* SqlClient.SqlClient

      return SuspendedOrganizations.of({
        organizationChanged: Effect.fn("SuspendedOrganizations.organizationChanged")(function* (snapshot) {
          const isNews = yield* repo.keep(snapshot)
          if (!isNews) return
          yield* endpoints.takeTurn(snapshot.organizationId)
          if (!snapshot.isDisabled) yield* repo.forgetFailures(snapshot.organizationId)
          yield* queues.refresh(snapshot.organizationId, undefined, yield* DateTime.nowAsDate)
          yield* wakeUp.tell
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(DeliveryWakeUp.layer))
}

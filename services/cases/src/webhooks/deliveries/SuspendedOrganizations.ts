import type { OrganizationSnapshot } from "@care/domain/auth"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeWebhookEndpointsRepo } from "../endpoints/WebhookEndpointsRepo.ts"
import { makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { makeSuspendedOrganizationsRepo } from "./SuspendedOrganizationsRepo.ts"

/** Organizations that are disabled: what happens waits for their endpoints, and nothing is sent to them. */
export class SuspendedOrganizations extends Context.Service<
  SuspendedOrganizations,
  {
    /**
     * Keeps what auth tells, unless something newer is kept. Of one that is disabled nothing more is sent, but for what is under
     * way; of one that is enabled again deliveries go on where they stopped, and what failed before is forgotten.
     */
    readonly organizationChanged: (snapshot: OrganizationSnapshot) => Effect.Effect<void>
  }
>()("@care/cases/webhooks/SuspendedOrganizations") {
  static readonly layer = Layer.effect(
    SuspendedOrganizations,
    Effect.gen(function* () {
      const endpoints = yield* makeWebhookEndpointsRepo
      const news = yield* DeliveryWakeUp
      const queues = yield* makeDeliveryQueuesRepo
      const repo = yield* makeSuspendedOrganizationsRepo
      const sql = yield* SqlClient.SqlClient

      return SuspendedOrganizations.of({
        organizationChanged: Effect.fn("SuspendedOrganizations.organizationChanged")(function* (snapshot) {
          const isNews = yield* repo.keep(snapshot)
          if (!isNews) return
          yield* endpoints.takeTurn(snapshot.organizationId)
          yield* repo.lockEndpoints(snapshot.organizationId)
          if (!snapshot.isDisabled) yield* repo.forgetFailures(snapshot.organizationId)
          yield* queues.refresh(snapshot.organizationId, undefined, yield* DateTime.nowAsDate)
          yield* news.tell
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(DeliveryWakeUp.layer))
}

import type { OrganizationSnapshot } from "@care/domain/auth"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeWebhookEndpointsRepo } from "../endpoints/WebhookEndpointsRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { makeHeldOrganizationsRepo } from "./HeldOrganizationsRepo.ts"

/** Organizations that are disabled: what happens waits for their endpoints, and nothing is sent to them. */
export class HeldOrganizations extends Context.Service<
  HeldOrganizations,
  {
    /**
     * Keeps what auth tells, unless something newer is kept. Of one that is disabled nothing more is sent, but for what is under
     * way; of one that is enabled again deliveries go on where they stopped, and what failed before is forgotten.
     */
    readonly organizationChanged: (snapshot: OrganizationSnapshot) => Effect.Effect<void>
  }
>()("@care/cases/webhooks/HeldOrganizations") {
  static readonly layer = Layer.effect(
    HeldOrganizations,
    Effect.gen(function* () {
      const endpoints = yield* makeWebhookEndpointsRepo
      const news = yield* DeliveryWakeUp
      const repo = yield* makeHeldOrganizationsRepo
      const sql = yield* SqlClient.SqlClient

      return HeldOrganizations.of({
        organizationChanged: Effect.fn("HeldOrganizations.organizationChanged")(function* (snapshot) {
          const isNews = yield* repo.keep(snapshot)
          if (!isNews) return
          yield* endpoints.takeTurn(snapshot.organizationId)
          yield* repo.lockEndpoints(snapshot.organizationId)
          if (!snapshot.isDisabled) yield* repo.forgetFailures(snapshot.organizationId)
          yield* repo.hold(snapshot, yield* DateTime.nowAsDate)
          yield* news.tell
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(DeliveryWakeUp.layer))
}

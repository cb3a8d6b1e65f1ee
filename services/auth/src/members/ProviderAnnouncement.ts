import { CasesApi, OrganizationId } from "@care/domain"
import { layerWorker, peer } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"

const Job = Schema.Struct({ organizationId: OrganizationId })

/** Tells cases that an organization has a new provider, so that cases which wait for one are assigned. */
export class ProviderAnnouncement extends Context.Service<
  ProviderAnnouncement,
  PersistedQueue.PersistedQueue<typeof Job.Type>
>()("@care/auth/members/ProviderAnnouncement") {
  static readonly layer = Layer.effect(
    ProviderAnnouncement,
    PersistedQueue.make({ name: "provider-announcement", schema: Job, maxAttempts: 50 })
  )

  static readonly layerWorker = Layer.unwrap(
    Effect.gen(function* () {
      const cases = yield* peer(CasesApi, "caseFacts")
      return layerWorker({
        name: "provider-announcement",
        queue: yield* ProviderAnnouncement,
        concurrency: 1,
        perform: ({ organizationId }) => cases.providerJoined({ params: { organizationId } })
      })
    })
  )
}

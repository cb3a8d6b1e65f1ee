import { CasesApi } from "@care/domain/cases"
import { OrganizationId, UserId } from "@care/domain/ids"
import { Job, peer } from "@care/service-kit"
import { Effect, Schema } from "effect"

/** Tells cases that an organization has a new provider, so that cases which wait for one are assigned. */
export class ProviderAnnouncement extends Job.make<ProviderAnnouncement>()("provider-announcement", {
  version: 2,
  schema: Schema.Struct({ organizationId: OrganizationId, providerId: UserId }),
  attempts: 50,
  concurrency: 1
}) {
  static readonly layerWorker = ProviderAnnouncement.worker(
    Effect.map(
      peer(CasesApi, "caseFacts"),
      (cases) =>
        ({ organizationId, providerId }) =>
          cases.providerJoined({ params: { organizationId }, payload: { providerId } })
    )
  )
}

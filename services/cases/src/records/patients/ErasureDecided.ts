import { OrganizationId, UserId } from "@care/domain/ids"
import { ownPatientsApi } from "@care/domain/patients"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Schema } from "effect"

/**
 * Has auth erase a patient, in case the caller did not get the answer. The job is committed with the decision. Auth does the rest, once.
 */
export class ErasureDecided extends Job.make<ErasureDecided>()("patient-erasure-decided", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
  retries: Job.forThreeDays,
  concurrency: 1
}) {
  static readonly layerWorker = ErasureDecided.worker(
    Effect.map(peer(ownPatientsApi("auth"), "ownPatients"), (auth) => (params) => auth.erase({ params }))
  )
}

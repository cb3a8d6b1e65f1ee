import { OrganizationId, UserId } from "@care/domain/ids"
import { ownPatientsApi } from "@care/domain/patients"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Schema } from "effect"

/**
 * Tells auth that a patient is erased, should who asked for that not have heard the answer. It is committed with the
 * decision, and auth does the rest, if it has not done it yet.
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

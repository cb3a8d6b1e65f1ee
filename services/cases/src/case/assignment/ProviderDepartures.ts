import type { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { inTransaction } from "@care/service-kit"
import { Array as Arr, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { WaitingCase } from "../lifecycle/AssignmentsRepo.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { AssignmentJobs } from "./AssignmentJobs.ts"
import { ProviderPage, pagesOf } from "./providerPages.ts"

const pageSize = 100

/**
 * Releases the assigned cases of a provider who left, page by page, so that others get them. Cases that the
 * provider has begun stay with them until the care team decides.
 */
export class ProviderDepartures extends Job.make<ProviderDepartures>()("provider-departure", {
  version: 1,
  schema: ProviderPage,
  retries: Job.forThreeDays,
  concurrency: 2,
  perOrganization: 1
}) {
  /** Returns the function that begins it, once for each version of the person. */
  static readonly makeBegin = Effect.map(ProviderDepartures, (departures) => pagesOf(departures).begin)

  static readonly layerWorker = ProviderDepartures.worker(
    Effect.gen(function* () {
      const assignments = yield* AssignmentJobs
      const cases = yield* Cases
      const { offerNext } = pagesOf(yield* ProviderDepartures)
      const sql = yield* SqlClient.SqlClient

      // A case that moved meanwhile, or whose provider is back, stays as it is.
      const release = (organizationId: OrganizationId, { id }: WaitingCase) =>
        cases
          .move(organizationId, id, { name: "release" })
          .pipe(Effect.andThen(assignments.offer({ organizationId, caseId: id })), inTransaction(sql), Effect.ignore)

      return Effect.fnUntraced(function* (page: ProviderPage) {
        const { after, organizationId, providerId } = page
        const assigned = yield* cases.pageOfAssigned(organizationId, providerId, after, pageSize)
        yield* Effect.forEach(assigned, (waitingCase) => release(organizationId, waitingCase), { discard: true })
        const last = Option.filter(Arr.last(assigned), () => assigned.length === pageSize)
        if (Option.isSome(last)) yield* offerNext(page, last.value)
      })
    })
  )
}

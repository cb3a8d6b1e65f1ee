import type { PersonFact } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import { inTransaction, Job, oldest } from "@care/service-kit"
import { Array as Arr, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../lifecycle/Cases.ts"
import type { WaitingCase } from "../lifecycle/CasesRepo.ts"
import { AssignmentJobs } from "./AssignmentJobs.ts"

const pageSize = 100

/** A page of a provider's cases: how many pages were before it, and the last case of those. */
const DeparturePage = Schema.Struct({
  organizationId: OrganizationId,
  providerId: UserId,
  version: Schema.Int,
  page: Schema.Int,
  after: Schema.Struct({ createdAt: Schema.Date, id: Schema.String })
})
type DeparturePage = typeof DeparturePage.Type

// The queue knows each page once, also when a page is done again because its process ended after it had offered the next.
const offerPage = ({ offer }: ProviderDepartures["Service"], page: DeparturePage) =>
  offer(page, { key: `${page.providerId} ${page.version} ${page.page}` })

/**
 * A provider is none any more: the cases that they were given and have not begun wait again, and are assigned to others, a
 * page after the other. Cases that they have begun stay theirs, for the care team to decide.
 */
export class ProviderDepartures extends Job.make<ProviderDepartures>()("provider-departure", {
  version: 1,
  schema: DeparturePage,
  attempts: 50,
  concurrency: 2,
  perOrganization: 1
}) {
  /** How to begin: once for each version of the person, however often it is asked for. */
  static readonly makeBegin = Effect.map(
    ProviderDepartures,
    (departures) =>
      ({ organizationId, person, version }: PersonFact) =>
        offerPage(departures, { organizationId, providerId: person.id, version, page: 0, after: oldest })
  )

  static readonly layerWorker = ProviderDepartures.worker(
    Effect.gen(function* () {
      const assignments = yield* AssignmentJobs
      const cases = yield* Cases
      const departures = yield* ProviderDepartures
      const sql = yield* SqlClient.SqlClient

      // One that has moved meanwhile, or whose provider is back, stays as it is.
      const release = (organizationId: OrganizationId, { id }: WaitingCase) =>
        cases
          .move(organizationId, id, { name: "release" })
          .pipe(Effect.andThen(assignments.offer({ organizationId, caseId: id })), inTransaction(sql), Effect.ignore)

      return Effect.fnUntraced(function* ({ after, page, ...provider }: DeparturePage) {
        const { organizationId, providerId } = provider
        const found = yield* cases.pageOfAssigned(organizationId, providerId, after, pageSize)
        yield* Effect.forEach(found, (one) => release(organizationId, one), { discard: true })
        const last = Option.filter(Arr.last(found), () => found.length === pageSize)
        if (Option.isSome(last)) yield* offerPage(departures, { ...provider, page: page + 1, after: last.value })
      })
    })
  )
}

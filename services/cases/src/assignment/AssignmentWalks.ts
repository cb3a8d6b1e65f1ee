import type { PersonFact } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import { Job, oldest } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { Assignment } from "./Assignment.ts"

/** A page of a walk: how many pages were before it, and the last case of those. */
const WalkPage = Schema.Struct({
  organizationId: OrganizationId,
  providerId: UserId,
  version: Schema.Int,
  page: Schema.Int,
  after: Schema.Struct({ createdAt: Schema.Date, id: Schema.String })
})
type WalkPage = typeof WalkPage.Type

// The queue knows each page once, also when a page is done again because its process ended after it had offered the next.
const offerPage = ({ offer }: AssignmentWalks["Service"], page: WalkPage) =>
  offer(page, { key: `${page.providerId} ${page.version} ${page.page}` })

/**
 * A provider joined, or changed: all cases of the organization that wait are tried again, oldest first, a page after the other. Each page
 * is a job of its own, so that other organizations have their turns in between, and a walk goes on where its process ended.
 */
export class AssignmentWalks extends Job.make<AssignmentWalks>()("assignment-walk", {
  version: 1,
  schema: WalkPage,
  attempts: 50,
  concurrency: 2,
  perOrganization: 1
}) {
  /** How to begin the walk of a provider: once for each version of them, however often it is asked for. */
  static readonly makeBegin = Effect.map(
    AssignmentWalks,
    (walks) =>
      ({ organizationId, person, version }: PersonFact) =>
        offerPage(walks, { organizationId, providerId: person.id, version, page: 0, after: oldest })
  )

  static readonly layerWorker = AssignmentWalks.worker(
    Effect.gen(function* () {
      const { assignPage } = yield* Assignment
      const walks = yield* AssignmentWalks
      return Effect.fnUntraced(function* ({ after, page, ...walk }: WalkPage) {
        const next = yield* assignPage(walk.organizationId, after)
        if (Option.isSome(next)) yield* offerPage(walks, { ...walk, page: page + 1, after: next.value })
      })
    })
  )
}

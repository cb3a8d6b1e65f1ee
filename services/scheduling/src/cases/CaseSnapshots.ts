import { type CaseForbidden, type CaseNotFound, type CaseSnapshot, CasesApi } from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { inTransaction, peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { makeCaseSnapshotsRepo } from "./CaseSnapshotsRepo.ts"

/** How cases stand that have calendar events: kept here as cases tells it (docs/decisions/0053-calendar-events.md). */
export class CaseSnapshots extends Context.Service<
  CaseSnapshots,
  {
    /** A case of an organization: as it is kept, and when it is not, asked for once. */
    readonly find: (
      organizationId: OrganizationId,
      caseId: CaseId
    ) => Effect.Effect<CaseSnapshot, CaseNotFound | CaseForbidden>
    /** The same of several, by id: none of one that is not the organization's. */
    readonly ofCases: (
      organizationId: OrganizationId,
      caseIds: ReadonlyArray<CaseId>
    ) => Effect.Effect<ReadonlyMap<CaseId, CaseSnapshot>>
    /** The newest case that is not archived of the patient who has an email: asked for each time, and kept. */
    readonly newestOfCustomer: (
      organizationId: OrganizationId,
      email: string
    ) => Effect.Effect<Option.Option<CaseSnapshot>>
    /** Keeps what cases tells of a case, unless something newer is kept: its events are listed while it is not archived. */
    readonly changed: (snapshot: CaseSnapshot) => Effect.Effect<void>
  }
>()("@care/scheduling/cases/CaseSnapshots") {
  static readonly layer = Layer.effect(
    CaseSnapshots,
    Effect.gen(function* () {
      const repo = yield* makeCaseSnapshotsRepo
      const cases = yield* peer(CasesApi, "caseFacts")
      const sql = yield* SqlClient.SqlClient

      const changed = Effect.fn("CaseSnapshots.changed")(function* (snapshot: CaseSnapshot) {
        if (yield* repo.keep(snapshot)) yield* repo.markEvents(snapshot)
      }, inTransaction(sql))

      const ask = Effect.fn("CaseSnapshots.ask")(function* (organizationId: OrganizationId, caseId: CaseId) {
        const snapshot = yield* cases.follow({ params: { organizationId, caseId } }).pipe(Effect.catchTags(unexpected))
        yield* changed(snapshot)
        return snapshot
      })

      return CaseSnapshots.of({
        find: Effect.fn("CaseSnapshots.find")(function* (organizationId, caseId) {
          const [kept] = yield* repo.find(organizationId, [caseId])
          return kept ?? (yield* ask(organizationId, caseId))
        }),

        ofCases: Effect.fn("CaseSnapshots.ofCases")(function* (organizationId, caseIds) {
          const kept = yield* repo.find(organizationId, caseIds)
          const known = new Map(kept.map((snapshot) => [snapshot.caseId, snapshot]))
          const missing = caseIds.filter((id) => !known.has(id))
          const asked = yield* Effect.forEach(missing, (id) => Effect.option(ask(organizationId, id)), {
            concurrency: 8
          })
          for (const snapshot of asked.flatMap(Option.toArray)) known.set(snapshot.caseId, snapshot)
          return known
        }),

        newestOfCustomer: Effect.fn("CaseSnapshots.newestOfCustomer")(function* (organizationId, email) {
          const asked = cases.followNewest({ params: { organizationId }, payload: { email } }).pipe(
            Effect.catchTags(unexpected),
            Effect.asSome,
            Effect.catchTag("CaseNotFound", () => Effect.succeedNone)
          )
          return yield* Effect.tap(asked, Option.match({ onNone: () => Effect.void, onSome: changed }))
        }),

        changed
      })
    })
  )
}

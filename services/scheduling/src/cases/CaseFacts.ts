import { type CaseFact, type CaseForbidden, type CaseNotFound, CasesApi } from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { inTransaction, peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { makeCaseFactsRepo } from "./CaseFactsRepo.ts"

/** How cases stand that have calendar events: kept here as cases tells it (docs/decisions/0053-calendar-events.md). */
export class CaseFacts extends Context.Service<
  CaseFacts,
  {
    /** A case of an organization: as it is kept, and when it is not, asked for once. */
    readonly find: (
      organizationId: OrganizationId,
      caseId: CaseId
    ) => Effect.Effect<CaseFact, CaseNotFound | CaseForbidden>
    /** The same of several, by id: none of one that is not the organization's. */
    readonly ofCases: (
      organizationId: OrganizationId,
      caseIds: ReadonlyArray<CaseId>
    ) => Effect.Effect<ReadonlyMap<CaseId, CaseFact>>
    /** The newest case that is not archived of the patient who has an email: asked for each time, and kept. */
    readonly newestOfCustomer: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<CaseFact>>
    /** Keeps what cases tells of a case, unless something newer is kept: its events are listed while it is not archived. */
    readonly changed: (fact: CaseFact) => Effect.Effect<void>
  }
>()("@care/scheduling/cases/CaseFacts") {
  static readonly layer = Layer.effect(
    CaseFacts,
    Effect.gen(function* () {
      const repo = yield* makeCaseFactsRepo
      const cases = yield* peer(CasesApi, "caseFacts")
      const sql = yield* SqlClient.SqlClient

      const changed = Effect.fn("CaseFacts.changed")(function* (fact: CaseFact) {
        if (yield* repo.keep(fact)) yield* repo.markEvents(fact)
      }, inTransaction(sql))

      const ask = Effect.fn("CaseFacts.ask")(function* (organizationId: OrganizationId, caseId: CaseId) {
        const fact = yield* cases.follow({ params: { organizationId, caseId } }).pipe(Effect.catchTags(unexpected))
        yield* changed(fact)
        return fact
      })

      return CaseFacts.of({
        find: Effect.fn("CaseFacts.find")(function* (organizationId, caseId) {
          const [kept] = yield* repo.find(organizationId, [caseId])
          return kept ?? (yield* ask(organizationId, caseId))
        }),

        ofCases: Effect.fn("CaseFacts.ofCases")(function* (organizationId, caseIds) {
          const kept = yield* repo.find(organizationId, caseIds)
          const known = new Map(kept.map((fact) => [fact.caseId, fact]))
          const missing = caseIds.filter((id) => !known.has(id))
          const asked = yield* Effect.forEach(missing, (id) => Effect.option(ask(organizationId, id)), {
            concurrency: 8
          })
          for (const fact of asked.flatMap(Option.toArray)) known.set(fact.caseId, fact)
          return known
        }),

        newestOfCustomer: Effect.fn("CaseFacts.newestOfCustomer")(function* (organizationId, email) {
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

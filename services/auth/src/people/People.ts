import type { PersonSnapshot } from "@care/domain/auth"
import { CasesApi } from "@care/domain/cases"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { afterCommit, notifyBestEffort, peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { makePeopleRepo } from "./PeopleRepo.ts"
import { PersonReplication } from "./PersonReplication.ts"
import { snapshotOf } from "./personRow.ts"

/** How people are shown, which the services that show them keep (docs/decisions/0030-snapshots.md). */
export class People extends Context.Service<
  People,
  {
    /** Those of the users whom the organization knows. */
    readonly find: (
      organizationId: OrganizationId,
      userIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyArray<PersonSnapshot>>
    /** Those whom the organization knows by these emails. */
    readonly findByEmail: (
      organizationId: OrganizationId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<PersonSnapshot>>
    /** The active providers of an organization. */
    readonly providers: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<PersonSnapshot>>
    /**
     * For the transaction that changes how somebody is shown: who shows them is told when it has committed, and before
     * the transaction's caller goes on. When that fails or takes half a second, a job that was committed with the change tells it.
     */
    readonly changed: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<void>
    /** Tells how somebody is shown now. Safe to repeat, in any order. */
    readonly tell: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<void>
  }
>()("@care/auth/people/People") {
  static readonly layer = Layer.effect(
    People,
    Effect.gen(function* () {
      const repo = yield* makePeopleRepo
      const jobs = yield* PersonReplication
      const cases = yield* peer(CasesApi, "caseFacts")

      const find = Effect.fn("People.find")(function* (organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) {
        return (yield* repo.find(organizationId, userIds)).map(snapshotOf)
      })

      const tell = Effect.fn("People.tell")(function* (organizationId: OrganizationId, userId: UserId) {
        const facts = yield* find(organizationId, [userId])
        yield* Effect.forEach(facts, (payload) => Effect.orDie(cases.personChanged({ payload })), { discard: true })
      })

      return People.of({
        find,
        findByEmail: Effect.fn("People.findByEmail")(function* (organizationId, emails) {
          return (yield* repo.findByEmail(organizationId, emails)).map(snapshotOf)
        }),
        providers: Effect.fn("People.providers")(function* (organizationId) {
          return (yield* repo.providers(organizationId)).map(snapshotOf)
        }),
        tell,
        changed: (organizationId, userId) =>
          Effect.andThen(
            jobs.offer({ organizationId, userId }, { delay: "2 seconds" }),
            afterCommit(notifyBestEffort("A person's change", tell(organizationId, userId)))
          )
      })
    })
  ).pipe(Layer.provide(PersonReplication.layer))
}

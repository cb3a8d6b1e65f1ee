import type { PersonSnapshot } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { makePeopleRepo } from "./PeopleRepo.ts"

/** Snapshots of users: how they are shown, with the version of their record. */
export class People extends Context.Service<
  People,
  {
    /** Returns the organization's users with these ids, deleted ones included. */
    readonly find: (
      organizationId: OrganizationId,
      userIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyArray<PersonSnapshot>>
    /** Returns the organization's users with these emails. */
    readonly findByEmail: (
      organizationId: OrganizationId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<PersonSnapshot>>
    /** Returns the active providers of an organization. */
    readonly providers: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<PersonSnapshot>>
  }
>()("@care/auth/people/People") {
  static readonly layer = Layer.effect(
    People,
    Effect.map(makePeopleRepo, ({ find, findByEmail, providers }) =>
      People.of({
        find: Effect.fn("People.find")(find),
        findByEmail: Effect.fn("People.findByEmail")(findByEmail),
        providers: Effect.fn("People.providers")(providers)
      })
    )
  )
}

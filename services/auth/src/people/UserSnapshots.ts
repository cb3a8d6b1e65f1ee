import type { PersonSnapshot } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { makeUserSnapshotsRepo } from "./UserSnapshotsRepo.ts"

/** Snapshots of users: how they are shown, with the version of their record. */
export class UserSnapshots extends Context.Service<
  UserSnapshots,
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
>()("@care/auth/people/UserSnapshots") {
  static readonly layer = Layer.effect(
    UserSnapshots,
    Effect.map(makeUserSnapshotsRepo, ({ find, findByEmail, providers }) =>
      UserSnapshots.of({
        find: Effect.fn("UserSnapshots.find")(find),
        findByEmail: Effect.fn("UserSnapshots.findByEmail")(findByEmail),
        providers: Effect.fn("UserSnapshots.providers")(providers)
      })
    )
  )
}

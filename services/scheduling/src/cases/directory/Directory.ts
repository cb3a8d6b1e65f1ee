import { directoryApi, type UserSummary } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { peer } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer, Option } from "effect"

/** The lookups of scheduling in auth's directory. */
export class Directory extends Context.Service<
  Directory,
  {
    /** Returns the organization's people among the users, by id. */
    readonly people: (
      organizationId: OrganizationId,
      userIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyMap<UserId, UserSummary>>
    /** Returns the person of the organization with an email, which is in lower case. */
    readonly personByEmail: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<UserSummary>>
  }
>()("@care/scheduling/directory/Directory") {
  static readonly layer = Layer.effect(
    Directory,
    Effect.gen(function* () {
      const auth = yield* peer(directoryApi, "directory")
      return Directory.of({
        people: Effect.fn("Directory.people")(function* (organizationId, userIds) {
          const snapshots = yield* Effect.orDie(auth.people({ payload: { organizationId, userIds } }))
          return new Map(snapshots.map(({ person }) => [person.id, person]))
        }),
        personByEmail: Effect.fn("Directory.personByEmail")(function* (organizationId, email) {
          const snapshots = yield* Effect.orDie(auth.peopleByEmail({ payload: { organizationId, emails: [email] } }))
          return Option.map(Arr.head(snapshots), ({ person }) => person)
        })
      })
    })
  )
}

import { AuthApi, type UserSummary } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { peer } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer, Option } from "effect"

/** What scheduling asks auth. */
export class Directory extends Context.Service<
  Directory,
  {
    /** Those of the users whom the organization knows, by id. */
    readonly people: (
      organizationId: OrganizationId,
      userIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyMap<UserId, UserSummary>>
    /** Whom the organization knows by an email, which is in lower case. */
    readonly personByEmail: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<UserSummary>>
  }
>()("@care/scheduling/directory/Directory") {
  static readonly layer = Layer.effect(
    Directory,
    Effect.gen(function* () {
      const auth = yield* peer(AuthApi, "directory")
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

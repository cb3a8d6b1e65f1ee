import { directoryApi, type OrganizationNotFound } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"

/** The lookups of payments in auth's directory. */
export class Directory extends Context.Service<
  Directory,
  {
    readonly requireOrganization: (id: OrganizationId) => Effect.Effect<void, OrganizationNotFound>
    /** Returns the patient of an organization with an email; none for an email of staff. */
    readonly findPatientByEmail: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<UserId>>
  }
>()("@care/payments/Directory") {
  static readonly layer = Layer.effect(
    Directory,
    Effect.gen(function* () {
      const auth = yield* peer(directoryApi, "directory")
      return Directory.of({
        requireOrganization: (organizationId) =>
          auth.organization({ params: { organizationId } }).pipe(Effect.asVoid, Effect.catchTags(unexpected)),
        findPatientByEmail: Effect.fnUntraced(function* (organizationId, email) {
          const people = yield* Effect.orDie(auth.peopleByEmail({ payload: { organizationId, emails: [email] } }))
          const patient = people.find(({ person }) => person.role === "USER")
          return Option.map(Option.fromUndefinedOr(patient), ({ person }) => person.id)
        })
      })
    })
  )
}

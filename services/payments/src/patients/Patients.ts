import { AuthApi } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"

/** The patients of organizations, whom auth knows. */
export class Patients extends Context.Service<
  Patients,
  {
    /** The patient of an organization with an email; none of its staff. */
    readonly withEmail: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<UserId>>
  }
>()("@care/payments/patients/Patients") {
  static readonly layer = Layer.effect(
    Patients,
    Effect.gen(function* () {
      const auth = yield* peer(AuthApi, "directory")

      return Patients.of({
        withEmail: Effect.fn("Patients.withEmail")(function* (organizationId, email) {
          const people = yield* Effect.orDie(auth.peopleByEmail({ payload: { organizationId, emails: [email] } }))
          const patient = people.find(({ person }) => person.role === "USER")
          return Option.map(Option.fromUndefinedOr(patient), ({ person }) => person.id)
        })
      })
    })
  )
}

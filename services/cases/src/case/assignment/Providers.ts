import type { PersonSnapshot } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../directory/Directory.ts"
import { People } from "../people/People.ts"
import { AssignmentSweeps } from "./AssignmentSweeps.ts"
import { ProviderDepartures } from "./ProviderDepartures.ts"

/** The providers of organizations, as far as auth told of them. */
export class Providers extends Context.Service<
  Providers,
  {
    /**
     * Keeps what auth tells of a person. When it is of a provider, the cases that wait are tried again; when it is of a
     * member who is none (any more), the cases that they were given and have not begun go to others. Once a version.
     */
    readonly personChanged: (snapshot: PersonSnapshot) => Effect.Effect<void>
    /** Asks auth when no provider of the organization is known: true when there are some. */
    readonly learn: (organizationId: OrganizationId) => Effect.Effect<boolean>
  }
>()("@care/cases/assignment/Providers") {
  static readonly layer = Layer.effect(
    Providers,
    Effect.gen(function* () {
      const people = yield* People
      const directory = yield* Directory
      const beginDeparture = yield* ProviderDepartures.makeBegin
      const beginWalk = yield* AssignmentSweeps.makeBegin
      const sql = yield* SqlClient.SqlClient

      const personChanged = Effect.fn("Providers.personChanged")(function* (snapshot: PersonSnapshot) {
        yield* people.keep(snapshot)
        const { isActive, role } = snapshot.person
        if (role === "PROVIDER" && isActive) yield* beginWalk(snapshot)
        else if (role !== "USER") yield* beginDeparture(snapshot)
      }, inTransaction(sql))

      return Providers.of({
        personChanged,
        learn: Effect.fn("Providers.learn")(function* (organizationId) {
          if (yield* people.hasProviders(organizationId)) return false
          const facts = yield* directory.providers(organizationId)
          yield* Effect.forEach(facts, personChanged, { discard: true })
          return facts.length > 0
        })
      })
    })
  ).pipe(Layer.provide([AssignmentSweeps.layer, ProviderDepartures.layer]))
}

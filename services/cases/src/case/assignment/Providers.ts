import type { PersonSnapshot } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../directory/Directory.ts"
import { People } from "../people/People.ts"
import { AssignmentSweeps } from "./AssignmentSweeps.ts"
import { ProviderDepartures } from "./ProviderDepartures.ts"

/** The providers of organizations, as far as cases has snapshots of them. */
export class Providers extends Context.Service<
  Providers,
  {
    /**
     * Accepts a snapshot of a person. For a provider, the cases that wait are tried again. For other members, the cases that were
     * assigned to them and that they have not begun are assigned to others. Each happens once for a version, also if the version was
     * already kept because somebody asked for it.
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
          const snapshots = yield* directory.providers(organizationId)
          yield* Effect.forEach(snapshots, personChanged, { discard: true })
          return snapshots.length > 0
        })
      })
    })
  ).pipe(Layer.provide([AssignmentSweeps.layer, ProviderDepartures.layer]))
}

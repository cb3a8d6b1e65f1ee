import type { PersonSnapshot } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../directory/Directory.ts"
import { People } from "../people/People.ts"
import { AssignmentSweeps } from "./AssignmentSweeps.ts"
import { ProviderDepartures } from "./ProviderDepartures.ts"

/** The replicated providers of organizations. */
export class ReplicatedProviders extends Context.Service<
  ReplicatedProviders,
  {
    /**
     * Stores a snapshot of a person from auth. An active provider gets waiting cases. The cases of other staff are released, unless work
     * on them has begun. Both happen once for each version.
     */
    readonly personChanged: (snapshot: PersonSnapshot) => Effect.Effect<void>
    /** Fetches the providers of an organization from auth when none is known. Returns whether it found any. */
    readonly fetchIfNone: (organizationId: OrganizationId) => Effect.Effect<boolean>
  }
>()("@care/cases/assignment/ReplicatedProviders") {
  static readonly layer = Layer.effect(
    ReplicatedProviders,
    Effect.gen(function* () {
      const people = yield* People
      const directory = yield* Directory
      const beginDeparture = yield* ProviderDepartures.makeBegin
      const beginSweep = yield* AssignmentSweeps.makeBegin
      const sql = yield* SqlClient.SqlClient

      const personChanged = Effect.fn("ReplicatedProviders.personChanged")(function* (snapshot: PersonSnapshot) {
        yield* people.keep(snapshot)
        const { isActive, role } = snapshot.person
        if (role === "PROVIDER" && isActive) yield* beginSweep(snapshot)
        else if (role !== "USER") yield* beginDeparture(snapshot)
      }, inTransaction(sql))

      return ReplicatedProviders.of({
        personChanged,
        fetchIfNone: Effect.fn("ReplicatedProviders.fetchIfNone")(function* (organizationId) {
          if (yield* people.hasProviders(organizationId)) return false
          const snapshots = yield* directory.providers(organizationId)
          yield* Effect.forEach(snapshots, personChanged, { discard: true })
          return snapshots.length > 0
        })
      })
    })
  ).pipe(Layer.provide([AssignmentSweeps.layer, ProviderDepartures.layer]))
}

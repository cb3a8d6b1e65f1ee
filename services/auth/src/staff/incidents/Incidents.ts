import { randomUUID } from "node:crypto"
import { type Incident, type IncidentChange, IncidentId, IncidentNotFound, type NewIncident } from "@care/domain/auth"
import type { PageQuery } from "@care/domain/http"
import { newest, type Page, pageFrom } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { makeIncidentsRepo } from "./IncidentsRepo.ts"

/** The incidents that operators tell on the status page. */
export class Incidents extends Context.Service<
  Incidents,
  {
    readonly open: (incident: NewIncident) => Effect.Effect<Incident>
    readonly list: (query: PageQuery) => Effect.Effect<Page<Incident>>
    readonly update: (id: IncidentId, change: IncidentChange) => Effect.Effect<Incident, IncidentNotFound>
  }
>()("@care/auth/staff/Incidents") {
  static readonly layer = Layer.effect(
    Incidents,
    Effect.gen(function* () {
      const repo = yield* makeIncidentsRepo
      return Incidents.of({
        open: Effect.fn("Incidents.open")(function* ({ impact, text, title }) {
          const now = yield* DateTime.nowAsDate
          const id = IncidentId.make(randomUUID())
          const incident = { id, title, impact, text, createdAt: now, updatedAt: now, resolvedAt: null }
          yield* repo.insert(incident)
          return incident
        }),
        list: Effect.fn("Incidents.list")(function* ({ cursor = newest, limit }) {
          return pageFrom(yield* repo.page(cursor, limit + 1), limit)
        }),
        update: Effect.fn("Incidents.update")(function* (incidentId, change) {
          const changed = yield* repo.update(incidentId, change, yield* DateTime.nowAsDate)
          return yield* Effect.fromOption(changed, () => new IncidentNotFound({ incidentId }))
        })
      })
    })
  )
}

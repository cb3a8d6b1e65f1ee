import { ownPatientsApi } from "@care/domain/patients"
import type { ServiceName } from "@care/domain/peers"
import { begun, streamedAnswer } from "@care/service-kit"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makePatientRecords } from "./PatientRecords.ts"
import type { PatientRef, PatientTable } from "./PatientTable.ts"

/** What a service keeps of patients, and what it does when one is erased. */
interface PatientsOptions<E, R> {
  readonly tables: ReadonlyArray<PatientTable>
  /** Made once. Must be idempotent. */
  readonly erase: Effect.Effect<(patient: PatientRef) => Effect.Effect<void>, E, R>
}

/** What the other services ask a service about all that it keeps of a patient. */
export const layerPatientsApi = <E, R>(service: ServiceName, { erase, tables }: PatientsOptions<E, R>) => {
  const api = ownPatientsApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownPatients",
    Effect.fnUntraced(function* (handlers) {
      const eraseOwn = yield* erase
      const records = yield* makePatientRecords(tables)
      return handlers.handleAll({
        data: Effect.fnUntraced(function* ({ params }) {
          return yield* streamedAnswer(yield* begun(records(params)), { contentType: "application/json" })
        }),
        erase: ({ params }) => eraseOwn(params)
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}

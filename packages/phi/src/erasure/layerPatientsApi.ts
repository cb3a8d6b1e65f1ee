import { ownPatientsApi } from "@care/domain/patients"
import type { ServiceName } from "@care/domain/peers"
import { startStream, streamedAnswer } from "@care/service-kit"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makeEraseListed } from "./makeEraseListed.ts"
import { makePatientRecords, type PatientRef, type PatientTable } from "./PatientRecords.ts"

/** The tables of a service with data of patients, and its erasure of a patient. */
interface PatientsOptions<E, R> {
  readonly tables: ReadonlyArray<PatientTable>
  /** Makes the function that erases a patient, which must be idempotent. */
  readonly erase: Effect.Effect<(patient: PatientRef) => Effect.Effect<void>, E, R>
}

/**
 * Answers the calls of other services that export or erase a patient. When it is built, before the service answers any request, it erases
 * the patients of the list of erasures who are not erased here.
 */
export const layerPatientsApi = <E, R>(service: ServiceName, { erase, tables }: PatientsOptions<E, R>) => {
  const api = ownPatientsApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownPatients",
    Effect.fnUntraced(function* (handlers) {
      const eraseOwn = yield* erase
      yield* yield* makeEraseListed(eraseOwn)
      const records = yield* makePatientRecords(tables)
      return handlers.handleAll({
        data: Effect.fnUntraced(function* ({ params }) {
          return yield* streamedAnswer(yield* startStream(records(params)), { contentType: "application/json" })
        }),
        erase: ({ params }) => eraseOwn(params)
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}

import { ownPatientsApi } from "@care/domain/patients"
import type { ServiceName } from "@care/domain/peers"
import { DateTime, Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makePatientKeys } from "../crypto/PatientKeys.ts"
import { makeEndMentions } from "../jobs/makeEndMentions.ts"
import { makePatientRecords } from "./PatientRecords.ts"
import type { PatientRef, PatientTable } from "./PatientTable.ts"

/** What a service keeps of patients, and what it does when one is erased. */
interface PatientsOptions<E, R> {
  readonly tables: ReadonlyArray<PatientTable>
  /** The queues whose jobs end with a patient whom they mention. */
  readonly queues: ReadonlyArray<string>
  /**
   * Made once: ends and replaces what is not sealed, after the patient's key is destroyed, and tells by which texts jobs mention
   * the patient. Must be idempotent.
   */
  readonly forget: Effect.Effect<(patient: PatientRef) => Effect.Effect<ReadonlyArray<string>>, E, R>
}

/** What the other services ask a service about all that it keeps of a patient. */
export const layerPatientsApi = <E, R>(service: ServiceName, { forget, queues, tables }: PatientsOptions<E, R>) => {
  const api = ownPatientsApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownPatients",
    Effect.fnUntraced(function* (handlers) {
      const endMentions = yield* makeEndMentions
      const forgetOwn = yield* forget
      const keys = yield* makePatientKeys
      const records = yield* makePatientRecords(tables)
      return handlers.handleAll({
        data: ({ params }) => records(params),
        // The key first: whoever writes of the patient from then on writes nothing that could be opened.
        erase: Effect.fnUntraced(function* ({ params }) {
          yield* keys.destroy(params.organizationId, params.userId, yield* DateTime.nowAsDate)
          yield* endMentions(params.organizationId, queues, yield* forgetOwn(params))
        })
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}

import { layerPatientsApi } from "@care/phi"
import { makeErasePatient } from "@care/service"
import { Layer } from "effect"
import { CustomerDeletions } from "../customers/index.ts"
import { makeForgetPatient } from "./makeForgetPatient.ts"
import { patientTables } from "./patientTables.ts"

/**
 * The internal API over the patient data of payments. After an erasure amounts and the gateway's ids stay, and jobs continue, because
 * payments must be finished.
 */
export const layerOwnPatients = Layer.merge(
  layerPatientsApi("payments", {
    tables: patientTables,
    erase: makeErasePatient({ queues: [], forget: makeForgetPatient })
  }),
  CustomerDeletions.layerWorker
).pipe(Layer.provide(CustomerDeletions.layer))

import { layerPatientsApi } from "@care/phi"
import { makeErasePatient } from "@care/service"
import { Layer } from "effect"
import { CustomerDeletions } from "../customers/index.ts"
import { makeForgetPatient } from "./makeForgetPatient.ts"
import { patientTables } from "./patientTables.ts"

/**
 * What payments keeps of patients. Of one who is erased amounts and the gateway's ids stay, and jobs go on: what was begun with
 * somebody's money has to be ended.
 */
export const layerOwnPatients = Layer.merge(
  layerPatientsApi("payments", {
    tables: patientTables,
    erase: makeErasePatient({ queues: [], forget: makeForgetPatient })
  }),
  CustomerDeletions.layerWorker
).pipe(Layer.provide(CustomerDeletions.layer))

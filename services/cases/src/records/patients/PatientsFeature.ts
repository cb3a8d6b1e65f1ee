import { layerPatientsApi } from "@care/phi"
import { makeErasePatient } from "@care/service"
import { Layer } from "effect"
import { Cases } from "../../case/index.ts"
import { ErasureDecided } from "./ErasureDecided.ts"
import { makeForgetPatient, queuesOfPatients } from "./forgetPatient.ts"
import { PatientExportHandlers } from "./http.ts"
import { PatientExports } from "./PatientExports.ts"
import { patientTables } from "./patientTables.ts"

/** All that is kept of a patient, in one file, and what follows when it was decided here that one is erased. */
export const PatientsFeature = Layer.merge(
  PatientExportHandlers.pipe(Layer.provide(PatientExports.layer)),
  ErasureDecided.layerWorker
)

/** What cases keeps of a patient, and what it does when one is erased. */
export const layerOwnPatients = layerPatientsApi("cases", {
  tables: patientTables,
  erase: makeErasePatient({ queues: queuesOfPatients, forget: makeForgetPatient })
}).pipe(Layer.provide(Cases.layer))

import { layerPatientsApi } from "@care/phi"
import { makeErasePatient } from "@care/service"
import { Layer } from "effect"
import { Cases } from "../../case/index.ts"
import { ErasureDecided } from "./ErasureDecided.ts"
import { makeForgetPatient, queuesOfPatients } from "./forgetPatient.ts"
import { InactivePatientsHandlers, PatientExportHandlers } from "./http.ts"
import { InactivePatients } from "./InactivePatients.ts"
import { PatientExports } from "./PatientExports.ts"
import { patientTables } from "./patientTables.ts"

/** The export of patients, and the erasures that are decided here. */
export const PatientsFeature = Layer.mergeAll(
  InactivePatientsHandlers.pipe(Layer.provide(InactivePatients.layer)),
  PatientExportHandlers.pipe(Layer.provide(PatientExports.layer)),
  ErasureDecided.layerWorker
)

/** This service's part of exports and erasures. */
export const layerOwnPatients = layerPatientsApi("cases", {
  tables: patientTables,
  erase: makeErasePatient({ queues: queuesOfPatients, forget: makeForgetPatient })
}).pipe(Layer.provide(Cases.layer))

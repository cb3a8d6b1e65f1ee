import { layerPatientsApi } from "@care/service-kit"
import { Layer } from "effect"
import { Cases } from "../lifecycle/Cases.ts"
import { makeForgetPatient, queuesOfPatients } from "./forgetPatient.ts"
import { PatientExportHandlers } from "./http.ts"
import { PatientExports } from "./PatientExports.ts"
import { patientTables } from "./patientTables.ts"

/** All that is kept of a patient, in one file. */
export const PatientsFeature = PatientExportHandlers.pipe(Layer.provide(PatientExports.layer))

/** What auth asks cases when a patient is erased, and what cases keeps of one. */
export const layerOwnPatients = layerPatientsApi("cases", {
  tables: patientTables,
  queues: queuesOfPatients,
  forget: makeForgetPatient
}).pipe(Layer.provide(Cases.layer))

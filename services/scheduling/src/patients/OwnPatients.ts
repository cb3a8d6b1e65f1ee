import { layerPatientsApi, type PatientRef } from "@care/phi"
import { makeErasePatient } from "@care/service"
import { Effect } from "effect"
import { makePatientsRepo } from "./PatientsRepo.ts"
import { patientTables } from "./patientTables.ts"

const makeForgetPatient = Effect.map(makePatientsRepo, (repo) =>
  Effect.fn("Patients.forget")(function* (patient: PatientRef) {
    return [patient.userId, ...(yield* repo.mentioned(patient)).map(({ id }) => id)]
  })
)

/** What scheduling keeps of patients. Of one who is erased the times of appointments stay, and nobody is reminded of them. */
export const layerOwnPatients = layerPatientsApi("scheduling", {
  tables: patientTables,
  erase: makeErasePatient({
    queues: ["appointment-reminder", "meeting-link", "booking", "cancellation"],
    forget: makeForgetPatient
  })
})

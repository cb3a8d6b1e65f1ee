import { layerPatientsApi, type PatientRef } from "@care/phi"
import { makeErasePatient } from "@care/service"
import { Effect } from "effect"
import { makePatientEventsRepo } from "./PatientEventsRepo.ts"
import { patientTables } from "./patientTables.ts"

const makeForgetPatient = Effect.map(makePatientEventsRepo, (repo) =>
  Effect.fn("Patients.forget")(function* (patient: PatientRef) {
    return [patient.userId, ...(yield* repo.findJobSubjects(patient)).map(({ id }) => id)]
  })
)

/** The internal API over scheduling's patient data. After an erasure the times of appointments stay, and no reminders are sent. */
export const layerOwnPatients = layerPatientsApi("scheduling", {
  tables: patientTables,
  erase: makeErasePatient({
    queues: ["appointment-reminder", "meeting-link", "booking", "cancellation"],
    forget: makeForgetPatient
  })
})

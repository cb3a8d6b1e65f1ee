import type { PatientRef } from "@care/phi"
import { Effect } from "effect"
import { Cases, People } from "../../case/index.ts"
import { makePatientCasesRepo } from "./PatientCasesRepo.ts"

/**
 * The queues whose jobs are cancelled when their patient is erased. A payment is still recorded, because money may have been taken. The job
 * that hands an order over cancels it.
 */
export const queuesOfPatients = ["patient-completion", "document-download", "assignment"]

/** Makes the function that replaces the names of an erased patient and closes their open cases, and returns the ids by which jobs mention them. */
export const makeForgetPatient = Effect.gen(function* () {
  const cases = yield* Cases
  const people = yield* People
  const repo = yield* makePatientCasesRepo

  return Effect.fn("Patients.forget")(function* (patient: PatientRef) {
    yield* people.erase(patient)
    for (const { id } of yield* repo.openCaseIds(patient)) {
      // A case that was closed meanwhile does not move.
      yield* Effect.ignore(cases.move(patient.organizationId, id, { name: "close", archiveNote: null }))
    }
    return [patient.userId, ...(yield* repo.caseIds(patient)).map(({ id }) => id)]
  })
})

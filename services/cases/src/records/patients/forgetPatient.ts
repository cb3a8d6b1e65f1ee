import type { PatientRef } from "@care/phi"
import { Effect } from "effect"
import { Cases } from "../../case/index.ts"
import { makePatientsRepo } from "./PatientsRepo.ts"

/**
 * The queues whose jobs carry something of a patient, or do something for one. A payment that is still to be recorded is recorded: it
 * was begun with somebody's money, and what is told of it is sealed for the patient then, who has no key any more. An order that
 * was not handed over is canceled by its job, which carries ids alone.
 */
export const queuesOfPatients = ["patient-completion", "document-download", "assignment"]

/**
 * Makes what closes the open cases of a patient who is erased. The jobs that mention them by their id or a case's wait for
 * nothing then.
 */
export const makeForgetPatient = Effect.gen(function* () {
  const cases = yield* Cases
  const repo = yield* makePatientsRepo

  return Effect.fn("Patients.forget")(function* (patient: PatientRef) {
    for (const { id } of yield* repo.openCaseIds(patient)) {
      // Somebody else may have closed it meanwhile.
      yield* Effect.ignore(cases.move(patient.organizationId, id, { name: "close", archiveNote: null }))
    }
    return [patient.userId, ...(yield* repo.caseIds(patient)).map(({ id }) => id)]
  })
})

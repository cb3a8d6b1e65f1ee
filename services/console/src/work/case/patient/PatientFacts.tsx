import type { AdminCase, CasePatient } from "@care/domain/cases"
import { inWords } from "../../../ui/words.ts"
import { ageOn, dayInWords } from "../words.ts"

interface PatientFactsProps {
  readonly submitter: AdminCase["submitter"]
  /** Undefined until they are read, and null if they were removed. */
  readonly patient: CasePatient | null | undefined
}

/** Returns when a patient was born, and how old that makes them: "April 12, 1988 (37)". */
export const birthInWords = (dob: string): string => `${dayInWords(dob)} (${ageOn(dob, new Date())})`

/** Who the patient is, and how they are reached. */
export const PatientFacts = ({ patient, submitter }: PatientFactsProps) => (
  <>
    {patient == null ? null : (
      <>
        <span>{patient.dob === "" ? "Birth date unknown" : `Born ${birthInWords(patient.dob)}`}</span>
        {patient.gender === "" ? null : <span>{inWords(patient.gender)}</span>}
        {patient.state === "" ? null : (
          <span dir="auto">{[patient.city, patient.state].filter(Boolean).join(", ")}</span>
        )}
      </>
    )}
    {patient === null ? <span>This patient was removed</span> : null}
    <span className="break-all">{submitter.email}</span>
    {submitter.phoneNumber === "" ? null : <span>{submitter.phoneNumber}</span>}
  </>
)

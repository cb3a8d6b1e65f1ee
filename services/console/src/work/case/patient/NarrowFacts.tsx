import type { AdminCase } from "@care/domain/cases"
import { useQuery } from "@tanstack/react-query"
import { patientQuery } from "../data/caseQueries.ts"
import { fullName } from "../data/useNames.ts"
import { OtherFacts } from "./HealthFacts.tsx"
import { PatientFacts } from "./PatientFacts.tsx"

/** What the header has no room for on a narrow screen. */
export const NarrowFacts = ({ caseDetail: { assignedTo, id, submitter } }: { readonly caseDetail: AdminCase }) => {
  const patient = useQuery(patientQuery(id)).data
  return (
    <div className="flex flex-col gap-2 text-sm sm:hidden">
      <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-muted">
        <PatientFacts submitter={submitter} patient={patient} />
        <span dir="auto">Provider: {assignedTo === null ? "nobody yet" : fullName(assignedTo)}</span>
      </p>
      {patient == null ? null : <OtherFacts patient={patient} />}
    </div>
  )
}

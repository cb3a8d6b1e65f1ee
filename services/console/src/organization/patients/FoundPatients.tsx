import type { UserSummary } from "@care/domain/auth"
import { useMay } from "../../session/useMay.ts"
import { DataTable } from "../../ui/DataTable.tsx"
import { ErasePatient } from "./ErasePatient.tsx"
import { ExportPatient } from "./ExportPatient.tsx"

interface FoundPatientsProps {
  readonly patients: ReadonlyArray<UserSummary>
  readonly onErased: () => void
}

/** The patients that were found, with what can be done with their data. */
export const FoundPatients = ({ onErased, patients }: FoundPatientsProps) => {
  const may = useMay()
  return (
    <DataTable
      caption="Patients"
      rows={patients}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Name",
          cell: ({ firstName, lastName }) => (
            <span dir="auto">
              {firstName} {lastName}
            </span>
          )
        },
        { title: "Email", cell: ({ email }) => email },
        { title: "Phone number", cell: ({ phoneNumber }) => phoneNumber },
        {
          title: "Actions",
          cell: (patient) => (
            <span className="flex flex-wrap gap-1.5">
              {may("patientExport", "export") ? <ExportPatient patient={patient} /> : null}
              {may("patientErasure", "erase") ? <ErasePatient patient={patient} onErased={onErased} /> : null}
            </span>
          )
        }
      ]}
    />
  )
}

import type { UserSummary } from "@care/domain/auth"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { download } from "./download.ts"
import { patientExport } from "./patientQueries.ts"

/** The button that downloads all that is stored about a patient. */
export const ExportPatient = ({ patient }: { readonly patient: UserSummary }) => {
  const name = `${patient.firstName} ${patient.lastName}`
  return (
    <ConfirmedButton
      text="Export"
      thing={name}
      title="Export the patient's data?"
      isDanger={false}
      onConfirm={async () => {
        const data = await send(patientExport.export({ params: { userId: patient.id } }))
        download(JSON.stringify(data, null, 2), `patient-${patient.id}.json`)
        announce("The file was downloaded")
      }}
    >
      <p>
        All that is stored about <strong dir="auto">{name}</strong> ({patient.email}) is downloaded as one file, with
        their answers and documents.
      </p>
      <p>Keep the file safe, and delete it when they have it. The export is recorded in the audit.</p>
    </ConfirmedButton>
  )
}

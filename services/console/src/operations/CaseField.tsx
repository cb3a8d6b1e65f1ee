import { CaseId } from "@care/domain/ids"
import { useMay } from "../session/useMay.ts"
import { FoundField } from "./FoundField.tsx"

interface CaseFieldProps {
  readonly value: CaseId | undefined
  readonly onChange: (value: CaseId | undefined) => void
}

/** A filter by a case. */
export const CaseField = (props: CaseFieldProps) => {
  const mayFind = useMay()("caseSearch", "find")
  return (
    <FoundField
      {...props}
      label="Case"
      hint={mayFind ? "An id, a short id, or the patient's email or name" : "The id of a case"}
      schema={CaseId}
      foundIn={({ id, shortId, submitter }) => ({
        id,
        name: `${submitter.firstName} ${submitter.lastName}, ${shortId}`
      })}
    />
  )
}

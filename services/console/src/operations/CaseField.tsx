import { CaseId } from "@care/domain/ids"
import { FoundField } from "./FoundField.tsx"

interface CaseFieldProps {
  readonly value: CaseId | undefined
  readonly onChange: (value: CaseId | undefined) => void
}

/** A filter by a case. */
export const CaseField = (props: CaseFieldProps) => (
  <FoundField
    {...props}
    label="Case"
    hint="An id, a short id, or the patient's email or name"
    schema={CaseId}
    foundIn={({ id, shortId, submitter }) => ({ id, name: `${submitter.firstName} ${submitter.lastName}, ${shortId}` })}
  />
)

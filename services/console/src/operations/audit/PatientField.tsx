import { UserId } from "@care/domain/ids"
import { FoundField } from "../FoundField.tsx"

interface PatientFieldProps {
  readonly value: UserId | undefined
  readonly onChange: (value: UserId | undefined) => void
}

/** A filter by a patient. */
export const PatientField = (props: PatientFieldProps) => (
  <FoundField
    {...props}
    label="Patient"
    hint="An id, an email, a phone number or a name"
    schema={UserId}
    foundIn={({ submitter }) => ({
      id: submitter.id,
      name: `${submitter.firstName} ${submitter.lastName}, ${submitter.email}`
    })}
  />
)

import { Field } from "./Field.tsx"

interface TimeFieldProps {
  readonly label: string
  readonly name?: string
  readonly hint?: string
  readonly value: Date | undefined
  readonly onChange: (value: Date | undefined) => void
}

const digits = (value: number, length = 2) => String(value).padStart(length, "0")

// What the browser's field takes: the time in the reader's zone, to the minute.
const localText = (at: Date): string =>
  `${digits(at.getFullYear(), 4)}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}T${digits(at.getHours())}:${digits(at.getMinutes())}`

/** A field for a time in the reader's zone. */
export const TimeField = ({ onChange, value, ...props }: TimeFieldProps) => (
  <Field
    {...props}
    type="datetime-local"
    value={value === undefined ? "" : localText(value)}
    onChange={(text) => onChange(text === "" ? undefined : new Date(text))}
  />
)

import { CheckboxGroup, FieldError, Label } from "react-aria-components"
import { Failure } from "./Failure.tsx"
import { Skeleton } from "./Skeleton.tsx"
import { Tick } from "./Tick.tsx"

interface TicksProps {
  readonly label: string
  /** Undefined until they are there. */
  readonly options: ReadonlyArray<{ readonly value: string; readonly text: string }> | undefined
  readonly error: Error | null
  readonly value: ReadonlyArray<string>
  readonly onChange: (value: ReadonlyArray<string>) => void
  /** What is said if there is nothing to choose from. */
  readonly empty: string
  /** Where one has to be chosen: the name of the field, and what is said if none is. */
  readonly required?: { readonly name: string; readonly text: string }
}

/** A list of which any number are chosen. */
export const Ticks = ({ empty, error, label, onChange, options, required, value }: TicksProps) => (
  <CheckboxGroup
    className="flex flex-col gap-1"
    value={[...value]}
    onChange={onChange}
    {...(required !== undefined && { name: required.name })}
  >
    <Label className="text-sm font-medium">{label}</Label>
    {error === null ? null : <Failure error={error} />}
    {options === undefined && error === null ? <Skeleton lines={2} /> : null}
    {options?.length === 0 ? <p className="text-sm text-muted">{empty}</p> : null}
    <div className="flex max-h-48 flex-col gap-1 overflow-y-auto rounded-md border border-line p-2 empty:hidden">
      {options?.map((option) => (
        <Tick key={option.value} value={option.value}>
          <span dir="auto" className="min-w-0 break-words">
            {option.text}
          </span>
        </Tick>
      ))}
    </div>
    {required === undefined ? null : <FieldError className="text-sm text-bad">{required.text}</FieldError>}
  </CheckboxGroup>
)

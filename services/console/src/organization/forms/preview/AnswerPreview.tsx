import { usStates } from "@care/domain/admin"
import { useId } from "react"
import { inputLook } from "../../../ui/Field.tsx"
import type { PreviewedQuestion } from "./PreviewedQuestion.ts"

interface PickerProps {
  readonly label: string
  readonly options: ReadonlyArray<string>
}

const Picker = ({ label, options }: PickerProps) => (
  <select aria-label={label} className={inputLook} defaultValue="">
    <option value="" disabled>
      Choose
    </option>
    {options.map((option) => (
      <option key={option}>{option}</option>
    ))}
  </select>
)

interface InputsProps {
  readonly labels: ReadonlyArray<string>
  readonly type: "date" | "number"
}

const Inputs = ({ labels, type }: InputsProps) => (
  <div className="grid gap-3 sm:grid-cols-2">
    {labels.map((label) => (
      <label key={label} className="flex flex-col gap-1 text-sm">
        {label}
        <input type={type} className={inputLook} />
      </label>
    ))}
  </div>
)

const OptionInputs = ({
  options,
  type
}: {
  readonly options: ReadonlyArray<string>
  readonly type: "radio" | "checkbox"
}) => {
  const group = useId()
  return (
    <div className="flex flex-col gap-1.5">
      {options.length === 0 ? <p className="text-sm text-muted">There is no option yet.</p> : null}
      {options.map((option, index) => (
        <label key={`${index} ${option}`} className="flex items-baseline gap-2">
          <input type={type} name={group} className="accent-accent" />
          <span dir="auto" className="min-w-0 break-words">
            {option}
          </span>
        </label>
      ))}
    </div>
  )
}

// More options than this are a list to open.
const fewOptions = 7

/** The control with which a patient answers a question. */
export const AnswerPreview = ({ question }: { readonly question: PreviewedQuestion }) => {
  const { options, placeholder, type } = question
  const label = question.question.trim() || "Answer"
  switch (type) {
    case "TEXT":
      return <textarea aria-label={label} rows={2} className={inputLook} placeholder={placeholder} />
    case "BOOLEAN":
      return <OptionInputs type="radio" options={["Yes", "No"]} />
    case "SINGLESELECT":
      return options.length > fewOptions ? (
        <Picker label={label} options={[...new Set(options)]} />
      ) : (
        <OptionInputs type="radio" options={options} />
      )
    case "MULTISELECT":
      return <OptionInputs type="checkbox" options={options} />
    case "DATE":
      return <input type="date" aria-label={label} className={inputLook} />
    case "DATERANGE":
      return <Inputs type="date" labels={["From", "To (empty if it goes on)"]} />
    case "FILE":
    case "WIDGET_USER_ID_DOCUMENT":
      return <input type="file" multiple aria-label={label} className={inputLook} />
    case "WIDGET_BMI":
      return <Inputs type="number" labels={["Height in inches", "Weight in pounds"]} />
    case "WIDGET_STATE_PICKER":
      return <Picker label={label} options={[...usStates.values()]} />
    case "WIDGET_VISIT_TYPE":
      return <Picker label={label} options={["Text and email", "Video", "Phone"]} />
    case "STATEMENT":
      return null
  }
}

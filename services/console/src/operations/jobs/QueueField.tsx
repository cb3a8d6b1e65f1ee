import { useState } from "react"
import { Field } from "../../ui/Field.tsx"

interface QueueFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A filter by the name of a queue. It takes effect on Enter, and when the person goes on. */
export const QueueField = ({ onChange, value }: QueueFieldProps) => {
  const [text, setText] = useState(value)
  const apply = () => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <Field
      label="Queue"
      value={text}
      hint="The whole name of a queue, such as payment-event"
      spellCheck="false"
      onChange={setText}
      onBlur={apply}
      onKeyDown={({ key }) => {
        if (key === "Enter") apply()
      }}
    />
  )
}

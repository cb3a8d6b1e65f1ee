import { Option, Schema } from "effect"
import { useState } from "react"
import { Field } from "./Field.tsx"

interface IdFieldProps<Id extends string> {
  readonly label: string
  readonly schema: Schema.Codec<Id, string>
  readonly value: Id | undefined
  readonly onChange: (value: Id | undefined) => void
}

/** A filter by an id. It takes effect when a whole id is entered, or nothing. */
export const IdField = <Id extends string>({ label, onChange, schema, value }: IdFieldProps<Id>) => {
  const [text, setText] = useState<string>(value ?? "")
  const isWrong = text !== "" && Option.isNone(Schema.decodeUnknownOption(schema)(text))
  return (
    <Field
      label={label}
      value={text}
      isInvalid={isWrong}
      spellCheck="false"
      {...(isWrong && { hint: "This is not a whole id yet." })}
      onChange={(next) => {
        setText(next)
        const id = Schema.decodeUnknownOption(schema)(next.trim())
        if (next.trim() === "" || Option.isSome(id)) onChange(Option.getOrUndefined(id))
      }}
    />
  )
}

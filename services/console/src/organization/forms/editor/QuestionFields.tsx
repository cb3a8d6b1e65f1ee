import type { Dispatch } from "react"
import { announce } from "../../../ui/announce.ts"
import { Button } from "../../../ui/Button.tsx"
import { Choice } from "../../../ui/Choice.tsx"
import { Field } from "../../../ui/Field.tsx"
import { Tick } from "../../../ui/Tick.tsx"
import { hasOptions, questionTypes } from "../questionTypes.ts"
import type { FormEdit, QuestionDraft } from "./formDraft.ts"

interface QuestionFieldsProps {
  readonly draft: QuestionDraft
  readonly index: number
  readonly count: number
  /** Whether it was added just now, and gets the focus. */
  readonly isNew: boolean
  readonly onEdit: Dispatch<FormEdit>
}

/** The fields of one question. Alt with an arrow key moves it. */
export const QuestionFields = ({ count, draft, index, isNew, onEdit }: QuestionFieldsProps) => {
  const { key, type } = draft
  const number = index + 1
  const name = (field: string) => `questions.${index}.${field}`
  const change = (fields: Partial<QuestionDraft>) => onEdit({ does: "change", question: { ...draft, ...fields } })
  const move = (by: -1 | 1) => {
    if (number + by < 1 || number + by > count) return
    onEdit({ does: "move", key, by })
    announce(`Question ${number} is number ${number + by} of ${count} now`)
  }
  return (
    <fieldset
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
      onKeyDown={({ altKey, key: pressed }) => {
        if (altKey && pressed === "ArrowUp") move(-1)
        if (altKey && pressed === "ArrowDown") move(1)
      }}
    >
      <legend className="sr-only">Question {number}</legend>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span aria-hidden="true" className="font-semibold">
          Question {number}
        </span>
        <span className="flex gap-1.5">
          <Button isSmall aria-label={`Move question ${number} up`} isDisabled={index === 0} onPress={() => move(-1)}>
            ↑
          </Button>
          <Button
            isSmall
            aria-label={`Move question ${number} down`}
            isDisabled={number === count}
            onPress={() => move(1)}
          >
            ↓
          </Button>
          <Button isSmall aria-label={`Remove question ${number}`} onPress={() => onEdit({ does: "remove", key })}>
            Remove
          </Button>
        </span>
      </div>
      <Field
        label={type === "STATEMENT" ? "Statement" : "Question"}
        name={name("question")}
        rows={2}
        autoFocus={isNew}
        value={draft.question}
        onChange={(question) => change({ question })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Choice
          label="Type of the answer"
          value={type}
          options={questionTypes}
          onChange={(next) => change({ type: next })}
        />
        {type === "STATEMENT" ? null : (
          <Field label="Hint" name={name("hint")} value={draft.hint} onChange={(hint) => change({ hint })} />
        )}
      </div>
      {type === "TEXT" ? (
        <Field
          label="Example in the empty field"
          name={name("placeholder")}
          value={draft.placeholder}
          onChange={(placeholder) => change({ placeholder })}
        />
      ) : null}
      {hasOptions(type) ? (
        <Field
          label="Options"
          name={name("options")}
          rows={4}
          hint="One a line, in the order in which they are shown."
          value={draft.options}
          onChange={(options) => change({ options })}
        />
      ) : null}
      {type === "STATEMENT" ? null : (
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <Tick isSelected={draft.required} onChange={(required) => change({ required })}>
            An answer is required
          </Tick>
          <Tick isSelected={draft.phi} onChange={(phi) => change({ phi })}>
            The answer is health information
          </Tick>
        </div>
      )}
    </fieldset>
  )
}

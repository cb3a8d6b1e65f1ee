import { NewForm } from "@care/domain/admin"
import { useReducer, useRef } from "react"
import { Button } from "../../../ui/Button.tsx"
import { EntryForm } from "../../../ui/EntryForm.tsx"
import { Field } from "../../../ui/Field.tsx"
import { type ScreenKey, useKeys } from "../../../ui/keys.ts"
import { FormPreview } from "../preview/FormPreview.tsx"
import { edited, enteredForm, type FormDraft, optionsIn } from "./formDraft.ts"
import { LeaveGuard } from "./LeaveGuard.tsx"
import { QuestionFields } from "./QuestionFields.tsx"

// Each question handles them.
const keys: ReadonlyArray<ScreenKey> = [
  { keys: ["Alt+↑"], does: "Move the question up" },
  { keys: ["Alt+↓"], does: "Move the question down" }
]

interface FormEditorProps {
  readonly initial: FormDraft
  readonly onSave: (form: typeof NewForm.Type) => Promise<() => void>
}

/** The editor of a new form, with its preview beside it. `onSave` returns what to do when the form is saved. */
export const FormEditor = ({ initial, onSave }: FormEditorProps) => {
  const [draft, edit] = useReducer(edited, initial)
  useKeys(keys)
  const go = useRef<(() => void) | undefined>(undefined)
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <LeaveGuard isDirty={() => draft !== initial && go.current === undefined} />
      <EntryForm
        schema={NewForm}
        entered={enteredForm(draft)}
        action="Add the form"
        onSave={async (form) => {
          go.current = await onSave(form)
        }}
        onDone={() => go.current?.()}
      >
        <Field label="Title" name="title" value={draft.title} onChange={(title) => edit({ does: "describe", title })} />
        <Field
          label="Description"
          name="description"
          rows={2}
          value={draft.description}
          onChange={(description) => edit({ does: "describe", description })}
        />
        {draft.questions.map((question, index) => (
          <QuestionFields
            key={question.key}
            draft={question}
            index={index}
            count={draft.questions.length}
            isNew={question.key >= initial.nextKey && question.key === draft.nextKey - 1}
            onEdit={edit}
          />
        ))}
        <div role="status" className="contents">
          {draft.removed === undefined ? null : (
            <p className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-raised p-3">
              <span className="min-w-0 break-words">
                Removed: {draft.removed.question.question.trim() || `question ${draft.removed.index + 1}`}
              </span>
              <Button isSmall onPress={() => edit({ does: "restore" })}>
                Put it back
              </Button>
            </p>
          )}
        </div>
        <div>
          <Button onPress={() => edit({ does: "add" })}>Add a question</Button>
        </div>
        <p className="text-sm text-muted">
          Questions cannot be changed after the form is added, because answers name them. Alt with ↑ or ↓ moves a
          question.
        </p>
      </EntryForm>
      <div className="xl:sticky xl:top-6 xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto">
        <FormPreview
          title={draft.title}
          description={draft.description}
          questions={draft.questions.map((question) => ({
            ...question,
            id: String(question.key),
            options: optionsIn(question.options)
          }))}
        />
      </div>
    </div>
  )
}

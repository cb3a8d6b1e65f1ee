import { FormChange } from "@care/domain/admin"
import type { FormSummary } from "@care/domain/cases"
import { useState } from "react"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { given } from "../given.ts"
import { useFormChange } from "./useFormChange.ts"

interface ChangeFormFormProps {
  readonly form: FormSummary
  readonly onClose: () => void
}

/** The title and description of a form. Its questions never change. */
export const ChangeFormForm = ({ form, onClose }: ChangeFormFormProps) => {
  const change = useFormChange(form)
  const [title, setTitle] = useState(form.title)
  const [description, setDescription] = useState(form.description ?? "")
  return (
    <EntryForm
      schema={FormChange}
      entered={{ title, description: given(description) ?? null }}
      action="Save"
      onSave={async (payload) => {
        await change(payload)
        announce("Form saved")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <Field label="Title" name="title" value={title} onChange={setTitle} autoFocus />
      <Field label="Description" name="description" rows={3} value={description} onChange={setDescription} />
      <p className="text-sm text-muted">
        Questions never change, because answers name them. Copy the form into a new one to change them.
      </p>
    </EntryForm>
  )
}

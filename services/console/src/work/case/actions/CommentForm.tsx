import type { AdminCase } from "@care/domain/cases"
import { Effect, Schema } from "effect"
import { useState } from "react"
import { Button } from "../../../ui/Button.tsx"
import { Failure } from "../../../ui/Failure.tsx"
import { Field } from "../../../ui/Field.tsx"
import { Radios } from "../../../ui/Radios.tsx"
import { Skeleton } from "../../../ui/Skeleton.tsx"
import { backOffice } from "../data/caseClients.ts"
import { useCaseAction } from "../data/useCaseAction.ts"
import { fullName } from "../data/useNames.ts"
import { useDraft } from "../drafts/useDraft.ts"
import { filesOf, mistakeInFiles } from "./chosenFiles.ts"
import { FilePicker } from "./FilePicker.tsx"
import { FormPanel } from "./FormPanel.tsx"

const Reader = Schema.Literals(["PATIENT", "CARE_TEAM"])
const CommentDraft = Schema.Struct({ text: Schema.String, reader: Reader })
const emptyComment = (): typeof CommentDraft.Type => ({ text: "", reader: "CARE_TEAM" })

interface CommentFormProps {
  readonly caseDetail: AdminCase
  readonly onClose: () => void
}

/** Writes a comment to the patient, or a note that stays with the care team. Files are not kept with the draft. */
export const CommentForm = ({ caseDetail: { id: caseId, submitter }, onClose }: CommentFormProps) => {
  const draft = useDraft(`comment ${caseId}`, CommentDraft, emptyComment)
  const [files, setFiles] = useState<ReadonlyArray<File>>([])
  const [mistake, setMistake] = useState<string | undefined>(undefined)
  const comment = useCaseAction(
    caseId,
    ({ reader, text }: typeof CommentDraft.Type) =>
      Effect.flatMap(
        Effect.promise(() => filesOf(files)),
        (attachments) =>
          backOffice.comment({
            params: { caseId },
            payload: { text, isRestricted: reader === "CARE_TEAM", attachments }
          })
      ),
    "Added"
  )
  if (draft.value === undefined) return <Skeleton />
  const { value } = draft
  const isNote = value.reader === "CARE_TEAM"
  const submit = () => {
    const found = value.text.trim() === "" ? "Write something first." : mistakeInFiles(files)
    setMistake(found)
    if (found !== undefined || comment.isPending) return
    comment.mutate(value, {
      onSuccess: () => {
        draft.forget()
        onClose()
      }
    })
  }
  return (
    <FormPanel title="Add a comment or note" onClose={onClose} onSubmit={submit}>
      <Field
        label={isNote ? "Internal note" : `Comment to ${fullName(submitter)}`}
        autoFocus
        rows={4}
        maxLength={20_000}
        value={value.text}
        onChange={(text) => draft.change({ text })}
      />
      <Radios
        label="Who reads it"
        options={[
          { value: "CARE_TEAM", text: "The care team only" },
          { value: "PATIENT", text: "The patient and the partner" }
        ]}
        value={value.reader}
        onChange={(reader) => draft.change({ reader })}
      />
      <FilePicker files={files} onChange={setFiles} />
      {mistake === undefined ? null : (
        <p role="alert" className="text-bad">
          {mistake}
        </p>
      )}
      {comment.error === null ? null : <Failure error={comment.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={onClose}>Close</Button>
        <Button look="primary" type="submit" isPending={comment.isPending}>
          {isNote ? "Save note" : `Send to ${submitter.firstName}`}
        </Button>
      </div>
    </FormPanel>
  )
}

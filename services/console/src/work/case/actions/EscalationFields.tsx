import type { Escalation } from "@care/domain/cases"
import { Choice } from "../../../ui/Choice.tsx"
import { Field } from "../../../ui/Field.tsx"
import { Radios } from "../../../ui/Radios.tsx"
import { TimeField } from "../../../ui/TimeField.tsx"
import { type EscalationDraft, titleOptions } from "./escalationDraft.ts"

const types = [
  { value: "support", text: "Support" },
  { value: "clinical", text: "Clinical" },
  { value: "external", text: "External" }
] as const

/** Somebody who may be given an escalation. */
export interface Assignee {
  readonly email: string
  readonly name: string
}

interface EscalationFieldsProps {
  readonly draft: EscalationDraft
  /** The escalations that the case has. */
  readonly escalations: ReadonlyArray<Escalation>
  readonly assignees: ReadonlyArray<Assignee>
  readonly change: (part: Partial<EscalationDraft>) => void
}

/** The fields of an escalation. */
export const EscalationFields = ({ assignees, change, draft, escalations }: EscalationFieldsProps) => {
  const { assignedToEmail, followUpDueAt, note, title, type } = draft
  const isAssignable = assignees.some(({ email }) => email === assignedToEmail)
  return (
    <>
      <Radios
        label="Team"
        autoFocus
        options={types}
        value={type}
        onChange={(chosen) => change({ type: chosen, title: "" })}
      />
      <Choice
        label="Title"
        options={titleOptions(type, escalations)}
        value={title}
        onChange={(chosen) => change({ title: chosen })}
      />
      <Field
        label="Note"
        rows={4}
        maxLength={10_000}
        hint="What has to be done, and why. The partner reads it, too."
        value={note}
        onChange={(text) => change({ note: text })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TimeField
          label="Follow up by"
          hint="In your time zone. May stay empty."
          value={followUpDueAt === "" ? undefined : new Date(followUpDueAt)}
          onChange={(at) => change({ followUpDueAt: at?.toISOString() ?? "" })}
        />
        <Choice
          label="Assigned to"
          options={[
            { value: "", text: "Nobody in particular" },
            ...assignees.map(({ email, name }) => ({ value: email, text: name }))
          ]}
          value={isAssignable ? assignedToEmail : ""}
          onChange={(email) => change({ assignedToEmail: email })}
        />
      </div>
    </>
  )
}

import { escalationTitles } from "@care/domain/admin"
import type { Escalation, NewEscalation } from "@care/domain/cases"
import { Schema } from "effect"

type EscalationType = Escalation["type"]

/** What a person has entered of an escalation. Texts are empty until then. */
export const EscalationDraft = Schema.Struct({
  type: Schema.Literals(["support", "clinical", "external"]),
  title: Schema.String,
  note: Schema.String,
  /** A time in ISO 8601. */
  followUpDueAt: Schema.String,
  assignedToEmail: Schema.String
})
export type EscalationDraft = typeof EscalationDraft.Type

/** Returns an empty draft. Providers mostly ask other clinicians, and all others ask support. */
export const emptyEscalation = (role: string): EscalationDraft => ({
  type: role === "PROVIDER" ? "clinical" : "support",
  title: "",
  note: "",
  followUpDueAt: "",
  assignedToEmail: ""
})

/** Returns the titles of a type as choices, and marks those that the case has open. */
export const titleOptions = (type: EscalationType, escalations: ReadonlyArray<Escalation>) => {
  const open = escalations.filter((escalation) => !escalation.isCompleted && escalation.type === type)
  const isOpen = (title: string) => open.some((escalation) => escalation.title === title)
  return [
    { value: "", text: "Choose a title" },
    ...escalationTitles[type].valid.map((title) => ({
      value: title,
      text: isOpen(title) ? `${title} (open already)` : title
    }))
  ]
}

/** Returns the escalation that a draft asks for. */
export const escalationOf = ({
  assignedToEmail,
  followUpDueAt,
  note,
  title,
  type
}: EscalationDraft): NewEscalation => ({
  type,
  title,
  ...(note.trim() !== "" && { note }),
  ...(followUpDueAt !== "" && { followUpDueAt: new Date(followUpDueAt) }),
  ...(assignedToEmail !== "" && { assignedToEmail })
})

import type { Escalation, NewEscalation } from "@care/domain/cases"
import type { CaseId } from "@care/domain/ids"
import { type KeyboardEvent, useState } from "react"
import { useSession } from "../../../session/useSession.ts"
import { Button } from "../../../ui/Button.tsx"
import { Failure } from "../../../ui/Failure.tsx"
import { Skeleton } from "../../../ui/Skeleton.tsx"
import { Window } from "../../../ui/Window.tsx"
import { adminEscalations } from "../data/caseClients.ts"
import { useCaseAction } from "../data/useCaseAction.ts"
import { useDraft } from "../drafts/useDraft.ts"
import { type Assignee, EscalationFields } from "./EscalationFields.tsx"
import { EscalationDraft, emptyEscalation, escalationOf } from "./escalationDraft.ts"

interface EscalateWindowProps {
  readonly caseId: CaseId
  /** The case in words: "case 7F3K of Maria Lopez". */
  readonly subject: string
  readonly escalations: ReadonlyArray<Escalation>
  readonly assignees: ReadonlyArray<Assignee>
  readonly onClose: () => void
}

/** Adds an escalation to a case. What was entered stays a draft until it is added. */
export const EscalateWindow = ({ assignees, caseId, escalations, onClose, subject }: EscalateWindowProps) => {
  const { user } = useSession()
  const draft = useDraft(`escalation ${caseId}`, EscalationDraft, () => emptyEscalation(user.role))
  const [mistake, setMistake] = useState<string | undefined>(undefined)
  const escalate = useCaseAction(
    caseId,
    (escalation: NewEscalation) => adminEscalations.add({ params: { caseId }, payload: { escalations: [escalation] } }),
    "Case escalated"
  )
  const { value } = draft
  const submit = () => {
    if (value === undefined || escalate.isPending) return
    const found = value.title === "" ? "Choose a title." : undefined
    setMistake(found)
    if (found !== undefined) return
    escalate.mutate(escalationOf(value), {
      onSuccess: () => {
        draft.forget()
        onClose()
      }
    })
  }
  // Radio buttons keep keys to themselves. The lists of the form are elsewhere in the page.
  const onKeyDownCapture = ({ ctrlKey, currentTarget, key, metaKey, target }: KeyboardEvent) => {
    const isOfForm = target instanceof Node && currentTarget.contains(target)
    if (isOfForm && key === "Enter" && (ctrlKey || metaKey)) submit()
  }
  return (
    <Window title={`Escalate ${subject}`} isOpen keepsDraft onClose={onClose}>
      {value === undefined ? (
        <Skeleton />
      ) : (
        <form
          aria-label="Escalate"
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
          onKeyDownCapture={onKeyDownCapture}
        >
          <EscalationFields draft={value} escalations={escalations} assignees={assignees} change={draft.change} />
          {mistake === undefined ? null : (
            <p role="alert" className="text-bad">
              {mistake}
            </p>
          )}
          {escalate.error === null ? null : <Failure error={escalate.error} />}
          <div className="flex flex-wrap justify-end gap-2">
            <Button onPress={onClose}>Close</Button>
            <Button look="primary" type="submit" isPending={escalate.isPending}>
              Escalate
            </Button>
          </div>
        </form>
      )}
    </Window>
  )
}

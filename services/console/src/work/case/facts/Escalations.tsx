import type { Escalation } from "@care/domain/cases"
import type { CaseId } from "@care/domain/ids"
import { useState } from "react"
import { Badge } from "../../../ui/Badge.tsx"
import { Button } from "../../../ui/Button.tsx"
import { Confirmation } from "../../../ui/Confirmation.tsx"
import { Moment } from "../../../ui/Moment.tsx"
import { Panel } from "../../../ui/Panel.tsx"
import { inWords } from "../../../ui/words.ts"
import { backOffice } from "../data/caseClients.ts"
import { useCaseAction } from "../data/useCaseAction.ts"
import type { Names } from "../data/useNames.ts"

interface EscalationsProps {
  readonly caseId: CaseId
  /** The case in words, for the confirmation: "case 7F3K of Maria Lopez". */
  readonly subject: string
  readonly escalations: ReadonlyArray<Escalation>
  readonly names?: Names
}

/** The issues of a case: open ones first, each to be completed. */
export const Escalations = ({ caseId, escalations, names, subject }: EscalationsProps) => {
  const [chosen, setChosen] = useState<Escalation | undefined>(undefined)
  const complete = useCaseAction(
    caseId,
    (escalation: Escalation) => backOffice.completeEscalation({ params: { escalationId: escalation.id } }),
    "Escalation completed"
  )
  if (escalations.length === 0) return null
  const sorted = escalations.toReversed().sort((a, b) => Number(a.isCompleted) - Number(b.isCompleted))
  return (
    <Panel title="Escalations">
      <ul className="flex flex-col divide-y divide-line">
        {sorted.map((escalation) => {
          const { assignedToUserId, createdAt, followUpDueAt, id, isCompleted, note, title, type } = escalation
          return (
            <li key={id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-2">
              <div className="flex min-w-0 flex-col gap-0.5">
                <p className="flex flex-wrap items-center gap-2">
                  <span className={isCompleted ? "text-muted" : "font-medium"}>{title}</span>
                  <Badge text={isCompleted ? "Completed" : inWords(type)} look={isCompleted ? "plain" : "warn"} />
                </p>
                {note === undefined ? null : (
                  <p dir="auto" className="break-words whitespace-pre-wrap">
                    {note}
                  </p>
                )}
                <p className="text-sm text-muted">
                  <Moment at={createdAt} />
                  {assignedToUserId === undefined
                    ? ", for nobody in particular"
                    : `, for ${names?.personOf(assignedToUserId) ?? "somebody of the staff"}`}
                  {followUpDueAt === undefined ? null : (
                    <>
                      , due <Moment at={followUpDueAt} />
                    </>
                  )}
                </p>
              </div>
              {isCompleted ? null : (
                <Button isSmall aria-label={`Complete ${title}`} onPress={() => setChosen(escalation)}>
                  Complete
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <Confirmation
        title="Complete this escalation?"
        action="Complete"
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        onConfirm={() => (chosen === undefined ? Promise.resolve() : complete.mutateAsync(chosen))}
      >
        <p dir="auto" className="break-words">
          “{chosen?.title}” of {subject} is done. It is not opened again.
        </p>
      </Confirmation>
    </Panel>
  )
}

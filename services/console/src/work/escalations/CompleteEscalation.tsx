import { BackOfficeApi } from "@care/domain/admin"
import type { EscalationOfCase } from "@care/domain/cases"
import { useQueryClient } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Confirmation } from "../../ui/Confirmation.tsx"
import { caseChanged } from "../caseChanged.ts"

const { backOffice } = Effect.runSync(clientOf(BackOfficeApi))

interface CompleteEscalationProps {
  readonly escalation: EscalationOfCase
  readonly onClose: () => void
}

/** Asks before an escalation is completed, because none is opened again. */
export const CompleteEscalation = ({ escalation, onClose }: CompleteEscalationProps) => {
  const client = useQueryClient()
  const { caseId, id, shortId, submitter, title } = escalation
  return (
    <Confirmation
      title="Complete this escalation"
      action="Complete"
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await send(backOffice.completeEscalation({ params: { escalationId: id } }))
        announce(`“${title}” of case ${shortId} is completed.`)
        void caseChanged(client, caseId)
      }}
    >
      <p>
        “{title}” of <bdi>{`${submitter.firstName} ${submitter.lastName}`}</bdi>, case {shortId}, will be done. It
        cannot be opened again.
      </p>
    </Confirmation>
  )
}

import type { CaseId } from "@care/domain/ids"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { Button } from "../../ui/Button.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Field } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { FormPanel } from "./actions/FormPanel.tsx"
import { breakGlass } from "./data/caseClients.ts"
import { caseKey } from "./data/caseQueries.ts"

interface BreakGlassProps {
  readonly caseId: CaseId
  /** Whether the person saw the case a moment ago. */
  readonly wasSeen: boolean
}

/** Opens a case that is not a provider's own to them, in an emergency and with a reason. */
export const BreakGlass = ({ caseId, wasSeen }: BreakGlassProps) => {
  const [isAsked, setAsked] = useState(false)
  const [reason, setReason] = useState("")
  const client = useQueryClient()
  const open = useMutation({
    mutationFn: () => send(breakGlass.open({ params: { caseId }, payload: { reason } })),
    // All that was refused before is read anew.
    onSuccess: () => client.resetQueries({ queryKey: caseKey(caseId) })
  })
  if (!isAsked) {
    return (
      <Panel title={wasSeen ? "You do not see this case any more" : "You do not see this case"}>
        <p role="alert" className="max-w-prose">
          {wasSeen
            ? "Another provider has it now, or the hour is over for which you opened it. What you typed is kept."
            : "It is another provider’s, or there is no case with this id."}{" "}
          In an emergency you can open it for an hour.
        </p>
        <div>
          <Button look="danger" onPress={() => setAsked(true)}>
            Break the glass
          </Button>
        </div>
      </Panel>
    )
  }
  return (
    <FormPanel
      title="Break the glass"
      onClose={() => setAsked(false)}
      onSubmit={() => {
        if (reason.trim() !== "" && !open.isPending) open.mutate()
      }}
    >
      <p className="max-w-prose">
        The case opens to you for one hour. Your reason and all that you read are recorded, and administrators see them.
      </p>
      <Field label="Reason" autoFocus isRequired rows={3} maxLength={10_000} value={reason} onChange={setReason} />
      {open.error === null ? null : <Failure error={open.error} />}
      <div className="flex justify-end gap-2">
        <Button onPress={() => setAsked(false)}>Cancel</Button>
        <Button look="danger" type="submit" isDisabled={reason.trim() === ""} isPending={open.isPending}>
          Open the case for an hour
        </Button>
      </div>
    </FormPanel>
  )
}

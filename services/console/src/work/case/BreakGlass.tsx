import type { CaseId } from "@care/domain/ids"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Field } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { FormPanel } from "./actions/FormPanel.tsx"
import { breakGlass } from "./data/caseClients.ts"
import { useCaseAction } from "./data/useCaseAction.ts"

/** Opens a case that is not a provider's own to them, in an emergency and with a reason. */
export const BreakGlass = ({ caseId }: { readonly caseId: CaseId }) => {
  const [isAsked, setAsked] = useState(false)
  const [reason, setReason] = useState("")
  const open = useCaseAction(
    caseId,
    (text: string) => breakGlass.open({ params: { caseId }, payload: { reason: text } }),
    "The case is open to you for an hour"
  )
  if (!isAsked) {
    return (
      <Panel title="You do not see this case">
        <p className="max-w-prose">
          It is another provider’s, or there is no case with this id. In an emergency you can open it for an hour.
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
        if (reason.trim() !== "" && !open.isPending) open.mutate(reason)
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

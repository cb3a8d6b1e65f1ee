import { BackOfficeApi } from "@care/domain/admin"
import type { Member } from "@care/domain/auth"
import type { CaseSummary } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../../client/clientOf.ts"
import { send } from "../../../client/send.ts"
import { Button } from "../../../ui/Button.tsx"
import { Failure } from "../../../ui/Failure.tsx"
import { Window } from "../../../ui/Window.tsx"
import { counted } from "../../../ui/words.ts"
import { caseChanged } from "../../caseChanged.ts"
import { AssignedCases } from "./AssignedCases.tsx"

const { backOffice } = Effect.runSync(clientOf(BackOfficeApi))

interface AssignWindowProps {
  readonly organizationId: OrganizationId
  readonly cases: ReadonlyArray<CaseSummary>
  readonly provider: Pick<Member, "id" | "firstName" | "lastName">
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Called when the person has seen the results. */
  readonly onDone: () => void
}

/** Asks before cases are assigned, and says for each whether it was. */
export const AssignWindow = ({ cases, isOpen, onClose, onDone, organizationId, provider }: AssignWindowProps) => {
  const client = useQueryClient()
  const assign = useMutation({
    mutationFn: () =>
      send(
        backOffice.assignAll({
          payload: { organizationId, providerId: provider.id, caseIds: cases.map(({ id }) => id) }
        })
      ),
    onSettled: () => void caseChanged(client, ...cases.map(({ id }) => id))
  })
  const name = `${provider.firstName} ${provider.lastName}`
  const close = assign.data === undefined ? onClose : onDone
  return (
    <Window title={`Assign ${counted(cases.length, "case")} to ${name}`} isOpen={isOpen} onClose={close}>
      <AssignedCases cases={cases} results={assign.data?.data} />
      {assign.error === null ? null : <Failure error={assign.error} />}
      <div className="flex justify-end gap-2">
        {assign.data === undefined ? (
          <>
            <Button onPress={close}>Cancel</Button>
            <Button look="primary" isPending={assign.isPending} onPress={() => assign.mutate()}>
              Assign to {name}
            </Button>
          </>
        ) : (
          <Button look="primary" onPress={close}>
            Done
          </Button>
        )}
      </div>
    </Window>
  )
}

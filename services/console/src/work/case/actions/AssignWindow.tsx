import type { AdminCase } from "@care/domain/cases"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Choice } from "../../../ui/Choice.tsx"
import { Confirmation } from "../../../ui/Confirmation.tsx"
import { backOffice } from "../data/caseClients.ts"
import { staffQuery } from "../data/caseQueries.ts"
import { useCaseAction } from "../data/useCaseAction.ts"
import { fullName } from "../data/useNames.ts"

interface AssignWindowProps {
  readonly caseDetail: AdminCase
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Gives the case to a provider of its organization. */
export const AssignWindow = ({ caseDetail, isOpen, onClose }: AssignWindowProps) => {
  const { assignedTo, id: caseId, organizationId, shortId, submitter } = caseDetail
  const staff = useQuery({ ...staffQuery(organizationId), enabled: isOpen })
  const providers = (staff.data ?? []).filter(({ id, role }) => role === "PROVIDER" && id !== assignedTo?.id)
  const [chosenId, setChosenId] = useState("")
  const provider = providers.find(({ id }) => id === chosenId) ?? providers[0]
  const assign = useCaseAction(
    caseId,
    (providerId: (typeof providers)[number]["id"]) =>
      backOffice.assign({ params: { caseId }, payload: { providerId } }),
    "Case assigned"
  )
  return (
    <Confirmation
      title={`Assign case ${shortId}`}
      action={provider === undefined ? "Assign" : `Assign to ${fullName(provider)}`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => (provider === undefined ? Promise.resolve() : assign.mutateAsync(provider.id))}
    >
      {provider === undefined ? (
        <p>{staff.isPending ? "Reading the providers …" : "There is no other provider."}</p>
      ) : (
        <>
          <Choice
            label="Provider"
            options={providers.map((one) => ({ value: one.id, text: fullName(one) }))}
            value={provider.id}
            onChange={setChosenId}
          />
          <p dir="auto" className="break-words">
            {fullName(provider)} gets the case of {fullName(submitter)}
            {assignedTo === null ? "" : ` in the place of ${fullName(assignedTo)}`}.
          </p>
        </>
      )}
    </Confirmation>
  )
}

import { MemberChange } from "@care/domain/admin"
import type { Member } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { given } from "../given.ts"
import { wordsIn } from "../wordsIn.ts"
import { MemberFields } from "./MemberFields.tsx"
import { draftOf } from "./memberDraft.ts"
import { members, membersKey } from "./memberQueries.ts"

interface ChangeMemberFormProps {
  readonly member: Member
  readonly organizationId: OrganizationId
  readonly onClose: () => void
}

export const ChangeMemberForm = ({ member, onClose, organizationId }: ChangeMemberFormProps) => {
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(member))
  const { dea, firstName, lastName, licensedStates, npi, role, title, titleSuffix } = draft
  const provider = role === "PROVIDER" && {
    title: given(title) ?? null,
    titleSuffix: given(titleSuffix) ?? null,
    npi: given(npi) ?? null,
    dea: given(dea) ?? null,
    licensedStates: wordsIn(licensedStates)
  }
  return (
    <EntryForm
      schema={MemberChange}
      entered={{ firstName, lastName, role, ...provider }}
      action="Save"
      onSave={async (payload) => {
        await send(members.change({ params: { userId: member.id }, payload }))
        await client.invalidateQueries({ queryKey: membersKey(organizationId) })
        announce("Member saved")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <MemberFields draft={draft} onChange={setDraft} />
      {member.role === "PROVIDER" && role !== "PROVIDER" ? (
        <p role="status" className="rounded-md bg-warn-soft p-3 text-warn">
          They will be no provider any more: they keep the cases that they have begun, and the others are given to other
          providers.
        </p>
      ) : null}
    </EntryForm>
  )
}

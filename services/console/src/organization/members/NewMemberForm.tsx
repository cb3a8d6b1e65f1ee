import { NewMember } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { given } from "../given.ts"
import { wordsIn } from "../wordsIn.ts"
import { MemberFields } from "./MemberFields.tsx"
import { emptyDraft } from "./memberDraft.ts"
import { members, membersKey } from "./memberQueries.ts"

interface NewMemberFormProps {
  readonly organizationId: OrganizationId
  readonly onClose: () => void
}

export const NewMemberForm = ({ onClose, organizationId }: NewMemberFormProps) => {
  const client = useQueryClient()
  const [email, setEmail] = useState("")
  const [phoneNumber, setPhoneNumber] = useState("")
  const [draft, setDraft] = useState(emptyDraft)
  const { dea, firstName, lastName, licensedStates, npi, role, title, titleSuffix } = draft
  const provider = role === "PROVIDER" && {
    title: given(title),
    titleSuffix: given(titleSuffix),
    npi: given(npi),
    dea: given(dea),
    licensedStates: wordsIn(licensedStates)
  }
  return (
    <EntryForm
      schema={NewMember}
      entered={{ email, phoneNumber: given(phoneNumber), firstName, lastName, role, ...provider }}
      action="Add"
      onSave={async (payload) => {
        await send(members.add({ params: { organizationId }, payload }))
        await client.invalidateQueries({ queryKey: membersKey(organizationId) })
        announce("Member added")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <Field
        label="Email"
        name="email"
        type="email"
        value={email}
        onChange={setEmail}
        hint="They sign in with a code that is sent there. It cannot be changed later."
        autoFocus
      />
      <Field
        label="Phone number"
        name="phoneNumber"
        type="tel"
        value={phoneNumber}
        onChange={setPhoneNumber}
        hint="Such as +14155552671"
      />
      <MemberFields draft={draft} onChange={setDraft} />
    </EntryForm>
  )
}

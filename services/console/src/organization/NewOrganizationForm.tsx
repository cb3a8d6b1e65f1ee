import { NewOrganization } from "@care/domain/admin"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { send } from "../client/send.ts"
import { EntryForm } from "../ui/EntryForm.tsx"
import { Field } from "../ui/Field.tsx"
import { given } from "./given.ts"
import { organizations, organizationsKey } from "./organizationQueries.ts"

/** Creates an organization and leads to its page. */
export const NewOrganizationForm = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [contactEmail, setContactEmail] = useState("")
  const [cell, setCell] = useState("")
  return (
    <EntryForm
      schema={NewOrganization}
      entered={{ name, contactEmail: given(contactEmail), cell: given(cell) }}
      action="Create"
      onSave={async (payload) => {
        const { id } = await send(organizations.create({ payload }))
        void client.invalidateQueries({ queryKey: organizationsKey })
        await navigate({ to: "/organizations/$organizationId/$part", params: { organizationId: id, part: "overview" } })
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <Field label="Name" name="name" value={name} onChange={setName} autoFocus />
      <Field
        label="Contact email"
        name="contactEmail"
        type="email"
        value={contactEmail}
        onChange={setContactEmail}
        hint="Gets a notice when a webhook endpoint is disabled. Without it, the administrators do."
      />
      <Field
        label="Cell"
        name="cell"
        value={cell}
        onChange={setCell}
        hint="Where its data is. Leave it empty for the one with the fewest organizations."
      />
    </EntryForm>
  )
}

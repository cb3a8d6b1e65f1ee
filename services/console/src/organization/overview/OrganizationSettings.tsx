import { OrganizationChange } from "@care/domain/admin"
import type { Organization } from "@care/domain/auth"
import { useState } from "react"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Tick } from "../../ui/Tick.tsx"
import { given } from "../given.ts"
import { useOrganizationChange } from "./useOrganizationChange.ts"

/** The form of an organization's settings. */
export const OrganizationSettings = ({ organization }: { readonly organization: Organization }) => {
  const change = useOrganizationChange(organization.id)
  const [name, setName] = useState(organization.name)
  const [contactEmail, setContactEmail] = useState(organization.contactEmail ?? "")
  const [supportMayReadAnswers, setReadable] = useState(organization.supportMayReadAnswers)
  return (
    <div className="max-w-lg">
      <EntryForm
        schema={OrganizationChange}
        entered={{ name, contactEmail: given(contactEmail) ?? null, supportMayReadAnswers }}
        action="Save"
        onSave={change}
        onDone={() => announce("Settings saved")}
      >
        <Field label="Name" name="name" value={name} onChange={setName} />
        <Field
          label="Contact email"
          name="contactEmail"
          type="email"
          value={contactEmail}
          onChange={setContactEmail}
          hint="Gets a notice when a webhook endpoint is disabled. Without it, the administrators do."
        />
        <Tick isSelected={supportMayReadAnswers} onChange={setReadable}>
          Support may read patients' answers to forms, and files
        </Tick>
      </EntryForm>
    </div>
  )
}

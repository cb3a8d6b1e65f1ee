import { NewOperator } from "@care/domain/admin"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { staffAdmin } from "../../organization/members/memberQueries.ts"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { operatorsKey } from "./operatorsKey.ts"

export const InviteOperatorForm = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [email, setEmail] = useState("")
  const [firstName, setFirstName] = useState("")
  const [lastName, setLastName] = useState("")
  return (
    <EntryForm
      schema={NewOperator}
      entered={{ email, firstName, lastName }}
      action="Invite"
      onSave={async (payload) => {
        await send(staffAdmin.invite({ payload }))
        await client.invalidateQueries({ queryKey: operatorsKey })
        announce("Operator invited")
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
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" name="firstName" value={firstName} onChange={setFirstName} />
        <Field label="Last name" name="lastName" value={lastName} onChange={setLastName} />
      </div>
      <p className="rounded-md bg-warn-soft p-3 text-warn">
        An operator may read and change everything of all organizations, and invite other operators.
      </p>
    </EntryForm>
  )
}

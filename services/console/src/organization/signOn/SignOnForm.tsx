import { NewSingleSignOn } from "@care/domain/admin"
import type { SingleSignOn } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Tick } from "../../ui/Tick.tsx"
import { wordsIn } from "../wordsIn.ts"
import { signOnQuery, singleSignOn } from "./signOnQuery.ts"

interface SignOnFormProps {
  readonly organizationId: OrganizationId
  readonly setting: SingleSignOn | null
}

export const SignOnForm = ({ organizationId, setting }: SignOnFormProps) => {
  const client = useQueryClient()
  const [issuer, setIssuer] = useState(setting?.issuer ?? "")
  const [clientId, setClientId] = useState(setting?.clientId ?? "")
  const [clientSecret, setClientSecret] = useState("")
  const [domains, setDomains] = useState(setting?.domains.join(", ") ?? "")
  const [isRequired, setRequired] = useState(setting?.isRequired ?? false)
  return (
    <div className="max-w-lg">
      <EntryForm
        schema={NewSingleSignOn}
        entered={{
          issuer: issuer.trim(),
          clientId,
          domains: wordsIn(domains),
          isRequired,
          ...(clientSecret !== "" && { clientSecret })
        }}
        action="Save"
        onSave={async (payload) => {
          const saved = await send(singleSignOn.set({ params: { organizationId }, payload }))
          client.setQueryData(signOnQuery(organizationId).queryKey, saved)
        }}
        onDone={() => announce("Single sign-on saved")}
      >
        <Field
          label="Issuer"
          name="issuer"
          type="url"
          value={issuer}
          onChange={setIssuer}
          hint="The address of the provider, such as https://login.example.com"
        />
        <Field label="Client id" name="clientId" value={clientId} onChange={setClientId} autoComplete="off" />
        <Field
          label="Client secret"
          name="clientSecret"
          type="password"
          autoComplete="off"
          value={clientSecret}
          onChange={setClientSecret}
          hint={
            setting?.hasClientSecret === true
              ? "One is stored, and stays if this is empty and neither issuer nor client change."
              : "It is stored sealed, and never shown."
          }
        />
        <Field
          label="Domains of emails"
          name="domains"
          value={domains}
          onChange={setDomains}
          hint="Such as clinic.example.com, clinic.example.org"
        />
        <Tick isSelected={isRequired} onChange={setRequired}>
          Required: staff with these emails sign in there alone
        </Tick>
      </EntryForm>
    </div>
  )
}

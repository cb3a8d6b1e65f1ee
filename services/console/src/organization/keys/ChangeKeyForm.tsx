import { ApiKeyChange } from "@care/domain/admin"
import type { ApiKey } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { given } from "../given.ts"
import { apiKeys, keysKey } from "./keyQueries.ts"
import { LimitsFields, limitsIn, limitsOf } from "./LimitsFields.tsx"

interface ChangeKeyFormProps {
  readonly apiKey: ApiKey
  readonly organizationId: OrganizationId
  readonly onClose: () => void
}

export const ChangeKeyForm = ({ apiKey, onClose, organizationId }: ChangeKeyFormProps) => {
  const client = useQueryClient()
  const [label, setLabel] = useState(apiKey.label ?? "")
  const [limits, setLimits] = useState(() => limitsOf(apiKey))
  return (
    <EntryForm
      schema={ApiKeyChange}
      entered={{ label: given(label), ...limitsIn(limits) }}
      action="Save"
      onSave={async (payload) => {
        await send(apiKeys.change({ params: { apiKeyId: apiKey.id }, payload }))
        await client.invalidateQueries({ queryKey: keysKey(organizationId) })
        announce("Key saved")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <Field label="Label" name="label" value={label} onChange={setLabel} autoFocus />
      <LimitsFields draft={limits} onChange={setLimits} />
      <p className="text-sm text-muted">It takes effect within 5 seconds.</p>
    </EntryForm>
  )
}

import { NewApiKey } from "@care/domain/admin"
import type { IssuedApiKey } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { isInTestMode } from "../../client/mode.ts"
import { send } from "../../client/send.ts"
import { sessionQuery } from "../../session/session.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Tick } from "../../ui/Tick.tsx"
import { TimeField } from "../../ui/TimeField.tsx"
import { given } from "../given.ts"
import { apiKeys, keysKey } from "./keyQueries.ts"
import { LimitsFields, limitsIn, noLimits } from "./LimitsFields.tsx"

interface NewKeyFormProps {
  readonly organizationId: OrganizationId
  readonly onIssued: (key: IssuedApiKey) => void
  readonly onCancel: () => void
}

export const NewKeyForm = ({ onCancel, onIssued, organizationId }: NewKeyFormProps) => {
  const client = useQueryClient()
  const [label, setLabel] = useState("")
  const [expiresAt, setExpiresAt] = useState<Date>()
  const [isTest, setTest] = useState(false)
  const [limits, setLimits] = useState(noLimits)
  return (
    <EntryForm
      schema={NewApiKey}
      entered={{
        label: given(label),
        mode: isTest ? "test" : undefined,
        expiresAt: expiresAt?.toISOString(),
        ...limitsIn(limits)
      }}
      action="Issue"
      onSave={async (payload) => {
        onIssued(await send(apiKeys.issue({ params: { organizationId }, payload })))
        void client.invalidateQueries({ queryKey: keysKey(organizationId) })
        // The first test key makes the sandbox, which the session names.
        if (isTest) void client.invalidateQueries(sessionQuery)
      }}
      onDone={() => {}}
      onCancel={onCancel}
    >
      <Field
        label="Label"
        name="label"
        value={label}
        onChange={setLabel}
        autoFocus
        hint="Where it is used, such as a server's name."
      />
      {isInTestMode() ? null : (
        <Tick isSelected={isTest} onChange={setTest}>
          Test key: works in your sandbox alone. The first one makes the sandbox.
        </Tick>
      )}
      <TimeField
        label="Expires"
        name="expiresAt"
        value={expiresAt}
        onChange={setExpiresAt}
        hint="Leave it empty for never."
      />
      <LimitsFields draft={limits} onChange={setLimits} />
    </EntryForm>
  )
}

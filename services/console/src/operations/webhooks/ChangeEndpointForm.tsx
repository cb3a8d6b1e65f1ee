import { WebhookEndpointChange } from "@care/domain/admin"
import type { WebhookEndpoint } from "@care/domain/webhooks"
import { useState } from "react"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { type EndpointDraft, EndpointFields, endpointIn } from "./EndpointFields.tsx"
import { useEndpointChange } from "./useEndpointChange.ts"

interface ChangeEndpointFormProps {
  readonly endpoint: WebhookEndpoint
  readonly onClose: () => void
}

export const ChangeEndpointForm = ({ endpoint, onClose }: ChangeEndpointFormProps) => {
  const change = useEndpointChange(endpoint.id)
  const [draft, setDraft] = useState<EndpointDraft>({
    url: endpoint.url,
    events: endpoint.eventTypes === null ? "ALL" : "SOME",
    eventTypes: endpoint.eventTypes ?? [],
    includeTestCases: endpoint.includeTestCases
  })
  return (
    <EntryForm
      schema={WebhookEndpointChange}
      entered={endpointIn(draft)}
      action="Save"
      onSave={async (payload) => {
        await change(payload)
        announce("Endpoint saved")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <EndpointFields draft={draft} onChange={setDraft} />
    </EntryForm>
  )
}

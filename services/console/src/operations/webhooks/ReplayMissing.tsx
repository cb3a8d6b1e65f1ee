import { ReplayMissing as Range } from "@care/domain/admin"
import type { WebhookEndpoint } from "@care/domain/webhooks"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Breakable } from "../../ui/Breakable.tsx"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { TimeField } from "../../ui/TimeField.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { adminWebhooks, deliveriesKey } from "./webhookQueries.ts"

interface ReplayFormProps {
  readonly endpoint: WebhookEndpoint
  readonly onClose: () => void
}

const dayMillis = 24 * 60 * 60 * 1000

const ReplayForm = ({ endpoint, onClose }: ReplayFormProps) => {
  const client = useQueryClient()
  const [since, setSince] = useState<Date | undefined>(() => new Date(Date.now() - dayMillis))
  return (
    <EntryForm
      schema={Range}
      entered={{ since: since?.toISOString() }}
      action="Send"
      onSave={async (payload) => {
        await send(adminWebhooks.replayMissing({ params: { endpointId: endpoint.id }, payload }))
        announce("The missing events are on their way, the oldest first")
        void client.invalidateQueries({ queryKey: deliveriesKey(endpoint.id) })
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <p>
        Sends every event that fits the endpoint and was not delivered to{" "}
        <strong>
          <Breakable text={endpoint.url} />
        </strong>
        .
      </p>
      <TimeField label="Since" name="since" value={since} onChange={setSince} hint="At most 30 days ago." />
    </EntryForm>
  )
}

/** The button that sends an endpoint what it missed. */
export const ReplayMissing = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => (
  <WindowButton isSmall text="Send what is missing" title="Send what is missing">
    {(close) => <ReplayForm endpoint={endpoint} onClose={close} />}
  </WindowButton>
)

import type { WebhookEndpoint } from "@care/domain/webhooks"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Breakable } from "../../ui/Breakable.tsx"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { ChangeEndpointForm } from "./ChangeEndpointForm.tsx"
import { ReplayMissing } from "./ReplayMissing.tsx"
import { RotateSecret } from "./RotateSecret.tsx"
import { SendTest } from "./SendTest.tsx"
import { useEndpointChange } from "./useEndpointChange.ts"
import { adminWebhooks, endpointsKey } from "./webhookQueries.ts"

/** What a person can do with a webhook endpoint. */
export const EndpointActions = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const change = useEndpointChange(endpoint.id)
  const { enabled, id, url } = endpoint
  return (
    <>
      <SendTest endpoint={endpoint} />
      {enabled ? <ReplayMissing endpoint={endpoint} /> : null}
      <WindowButton isSmall text="Change" title="Change the webhook endpoint">
        {(close) => <ChangeEndpointForm endpoint={endpoint} onClose={close} />}
      </WindowButton>
      <RotateSecret endpoint={endpoint} />
      <ConfirmedButton
        text={enabled ? "Pause" : "Enable"}
        title={enabled ? "Pause the endpoint?" : "Enable the endpoint?"}
        isDanger={false}
        onConfirm={async () => {
          await change({ enabled: !enabled })
          announce(enabled ? "Endpoint paused" : "Endpoint enabled")
        }}
      >
        <p>
          <strong>
            <Breakable text={url} />
          </strong>{" "}
          {enabled
            ? "gets nothing until it is enabled again. Its deliveries wait."
            : "gets its waiting deliveries, and new events."}
        </p>
      </ConfirmedButton>
      <ConfirmedButton
        text="Delete"
        title="Delete the webhook endpoint?"
        onConfirm={async () => {
          await send(adminWebhooks.remove({ params: { endpointId: id } }))
          await client.invalidateQueries({ queryKey: endpointsKey })
          announce("Endpoint deleted")
          await navigate({ to: "/webhooks" })
        }}
      >
        <p>
          <strong>
            <Breakable text={url} />
          </strong>{" "}
          is deleted with all its deliveries, also those that were not sent yet. Events stay in the list of events for
          30 days.
        </p>
      </ConfirmedButton>
    </>
  )
}

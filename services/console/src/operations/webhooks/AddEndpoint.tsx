import { NewWebhookEndpoint } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { Button } from "../../ui/Button.tsx"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { ShownOnce } from "../../ui/ShownOnce.tsx"
import { Window } from "../../ui/Window.tsx"
import { type EndpointDraft, EndpointFields, endpointIn } from "./EndpointFields.tsx"
import { adminWebhooks, endpointsQuery } from "./webhookQueries.ts"

const empty: EndpointDraft = { url: "", events: "ALL", eventTypes: [], includeTestCases: false }

/** The button that adds a webhook endpoint. Its secret is shown until the person says that they have it. */
export const AddEndpoint = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState(empty)
  const [secret, setSecret] = useState<string>()
  const close = () => setOpen(false)
  return (
    <>
      <Button
        look="primary"
        onPress={() => {
          setSecret(undefined)
          setDraft(empty)
          setOpen(true)
        }}
      >
        Add an endpoint
      </Button>
      <Window
        title={secret === undefined ? "Add a webhook endpoint" : "The secret of the endpoint"}
        isOpen={isOpen}
        // A click beside the window would lose the secret.
        onClose={secret === undefined ? close : () => {}}
      >
        {secret === undefined ? (
          <EntryForm
            schema={NewWebhookEndpoint}
            entered={endpointIn(draft)}
            action="Add"
            onSave={async (payload) => {
              const added = await send(adminWebhooks.create({ params: { organizationId }, payload }))
              setSecret(added.secret)
              void client.invalidateQueries({ queryKey: endpointsQuery(organizationId).queryKey })
            }}
            onDone={() => {}}
            onCancel={close}
          >
            <EndpointFields draft={draft} onChange={setDraft} />
          </EntryForm>
        ) : (
          <ShownOnce secret={secret} onDone={close}>
            Copy the secret now. Your server verifies the signatures of events with it. It is not shown again.
          </ShownOnce>
        )}
      </Window>
    </>
  )
}

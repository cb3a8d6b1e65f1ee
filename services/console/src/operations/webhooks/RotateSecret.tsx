import type { WebhookEndpoint } from "@care/domain/webhooks"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { Breakable } from "../../ui/Breakable.tsx"
import { Button } from "../../ui/Button.tsx"
import { Confirmation } from "../../ui/Confirmation.tsx"
import { ShownOnce } from "../../ui/ShownOnce.tsx"
import { Window } from "../../ui/Window.tsx"
import { adminWebhooks } from "./webhookQueries.ts"

/** The button that gives an endpoint a new secret, which is shown once. */
export const RotateSecret = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const [isAsking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <Button isSmall onPress={() => setAsking(true)}>
        New secret
      </Button>
      <Confirmation
        title="Make a new secret?"
        action="Make it"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          const rotated = await send(adminWebhooks.rotateSecret({ params: { endpointId: endpoint.id } }))
          setSecret(rotated.secret)
        }}
      >
        <p>
          Events to{" "}
          <strong>
            <Breakable text={endpoint.url} />
          </strong>{" "}
          are signed with the new secret and, for 24 hours, with the present one, too. A secret before that ends at
          once.
        </p>
      </Confirmation>
      <Window title="The new secret" isOpen={secret !== undefined} onClose={() => {}}>
        {secret === undefined ? null : (
          <ShownOnce secret={secret} onDone={() => setSecret(undefined)}>
            Copy the secret now, and let your server accept both for 24 hours. It is not shown again.
          </ShownOnce>
        )}
      </Window>
    </>
  )
}

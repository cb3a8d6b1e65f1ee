import type { WebhookDeliveryWithEvent } from "@care/domain/webhooks"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Breakable } from "../../ui/Breakable.tsx"
import { Button } from "../../ui/Button.tsx"
import { Confirmation } from "../../ui/Confirmation.tsx"
import { adminWebhooks, deliveriesKey, deliveryQuery } from "./webhookQueries.ts"

interface ReplayDeliveryProps {
  readonly delivery: WebhookDeliveryWithEvent
  /** The address of the endpoint; undefined where it is not known. */
  readonly url: string | undefined
}

/** Sends an event to its endpoint again. */
export const ReplayDelivery = ({ delivery, url }: ReplayDeliveryProps) => {
  const { endpointId, eventType, id } = delivery
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Send again</Button>
      <Confirmation
        title="Send the event again"
        action="Send again"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          await send(adminWebhooks.replay({ params: { endpointId, deliveryId: id } }))
          await client.invalidateQueries({ queryKey: deliveryQuery(endpointId, id).queryKey })
          void client.invalidateQueries({ queryKey: deliveriesKey(endpointId) })
          announce("The event is sent again")
        }}
      >
        <p>
          Send the event <strong>{eventType}</strong> to{" "}
          <strong>
            <Breakable text={url ?? `the endpoint ${endpointId}`} />
          </strong>{" "}
          again?
        </p>
        <p>It keeps its id, so that the partner knows it if it arrived before. It gets all its attempts anew.</p>
      </Confirmation>
    </>
  )
}

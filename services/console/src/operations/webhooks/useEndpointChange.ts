import type { WebhookEndpointId } from "@care/domain/ids"
import type { WebhookEndpointChange } from "@care/domain/webhooks"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { adminWebhooks, endpointsKey } from "./webhookQueries.ts"

/** Returns the function that changes a webhook endpoint, and reads the endpoints again. */
export const useEndpointChange = (endpointId: WebhookEndpointId) => {
  const client = useQueryClient()
  return async (payload: WebhookEndpointChange) => {
    await send(adminWebhooks.change({ params: { endpointId }, payload }))
    await client.invalidateQueries({ queryKey: endpointsKey })
  }
}

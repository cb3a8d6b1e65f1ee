import { AdminWebhooksApi } from "@care/domain/admin"
import type { OrganizationId, WebhookDeliveryId, WebhookEndpointId } from "@care/domain/ids"
import { queryOptions, skipToken, useQuery } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { send } from "../../client/send.ts"
import { useOrganizationId } from "../../session/chosenOrganization.ts"

/** The client of webhook endpoints and deliveries. */
export const { adminWebhooks } = Effect.runSync(clientOf(AdminWebhooksApi))

/** The key of all lists of endpoints. */
export const endpointsKey = ["webhook-endpoints"] as const

/** The endpoints of an organization, oldest first. It has fewer than a page takes. */
export const endpointsQuery = (organizationId: OrganizationId | undefined) =>
  queryOptions({
    queryKey: [...endpointsKey, organizationId],
    queryFn:
      organizationId === undefined
        ? skipToken
        : ({ signal }) => send(adminWebhooks.endpoints({ params: { organizationId }, query: { limit: 100 } }), signal)
  })

/** Returns an endpoint of the organization that is shown; undefined while it is not known. */
export const useEndpoint = (endpointId: WebhookEndpointId) =>
  useQuery(endpointsQuery(useOrganizationId())).data?.data.find(({ id }) => id === endpointId)

/** The key of all lists of deliveries to an endpoint. */
export const deliveriesKey = (endpointId: WebhookEndpointId) => ["webhook-deliveries", endpointId] as const

/** A delivery with its event and attempts. While another attempt follows, it is read again every few seconds. */
export const deliveryQuery = (endpointId: WebhookEndpointId, deliveryId: WebhookDeliveryId) =>
  queryOptions({
    queryKey: ["webhook-delivery", endpointId, deliveryId],
    queryFn: ({ signal }) => send(adminWebhooks.delivery({ params: { endpointId, deliveryId } }), signal),
    refetchInterval: ({ state }) => (state.data?.status === "PENDING" ? 3_000 : false)
  })

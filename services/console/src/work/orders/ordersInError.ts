import { AdminOrdersApi } from "@care/domain/admin"
import type { OrderInError } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { type ListState, useList } from "../../client/useList.ts"

/** The client of the orders of an organization. */
export const { adminOrders } = Effect.runSync(clientOf(AdminOrdersApi))

/** The first word of the keys of all queries of orders in error. */
export const ordersInErrorKey = "ordersInError"

export const useOrdersInError = (organizationId: OrganizationId): ListState<OrderInError> =>
  useList(
    [ordersInErrorKey, organizationId],
    (cursor: PagePosition | undefined) =>
      adminOrders.inError({ query: { organizationId, limit: 50, ...(cursor !== undefined && { cursor }) } }),
    { refetchMillis: 30_000 }
  )

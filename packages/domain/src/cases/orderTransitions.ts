import type { OrderStatus } from "./Order.ts"

/** Who may move an order: the hand-over job, the pharmacy, and the care team. */
export type OrderMover = "handOver" | "pharmacy" | "backOffice"

type From = ReadonlyArray<OrderStatus>

const notHandedOver: From = ["PENDING", "ERROR"]
const notShipped: From = [...notHandedOver, "SUBMITTED"]
const notDelivered: From = [...notShipped, "SHIPPED"]
const notFailed: From = ["PENDING", "SUBMITTED", "SHIPPED"]

/**
 * All transitions of orders: to a status, by a mover, from these statuses. They only go forward; some may skip statuses
 * that were not reported. DELIVERED and CANCELED are final. An order begins as PENDING. One that became ERROR before
 * its hand-over continues when an operator retries its job.
 */
export const orderTransitions: Readonly<Record<OrderStatus, Readonly<Partial<Record<OrderMover, From>>>>> = {
  PENDING: {},
  SUBMITTED: { handOver: notHandedOver, pharmacy: notHandedOver, backOffice: notHandedOver },
  SHIPPED: { pharmacy: notShipped, backOffice: notShipped },
  DELIVERED: { pharmacy: notDelivered, backOffice: notDelivered },
  CANCELED: { handOver: notHandedOver, pharmacy: notShipped, backOffice: notShipped },
  ERROR: { handOver: ["PENDING"], pharmacy: notFailed, backOffice: notFailed }
}

/** Returns whether a mover may move an order between two statuses. */
export const canTransition = (mover: OrderMover, from: OrderStatus, to: OrderStatus): boolean =>
  orderTransitions[to][mover]?.includes(from) === true

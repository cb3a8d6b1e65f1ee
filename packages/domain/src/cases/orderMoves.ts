import type { OrderStatus } from "./Order.ts"

/** Who moves orders: the job that hands them over, the pharmacy that tells of them, and the care team. */
export type OrderMover = "handOver" | "pharmacy" | "backOffice"

type From = ReadonlyArray<OrderStatus>

const notHandedOver: From = ["PENDING", "ERROR"]
const notShipped: From = [...notHandedOver, "SUBMITTED"]
const notDelivered: From = [...notShipped, "SHIPPED"]
const notFailed: From = ["PENDING", "SUBMITTED", "SHIPPED"]

/**
 * Every way in which an order moves, and no other: to a status, by whom, from which others. Forward only, some may skip what
 * nobody told; DELIVERED and CANCELED are left by nobody. PENDING is where an order begins: what became an ERROR before it
 * was handed over goes on when the operator repeats its job.
 */
export const orderMoves: Readonly<Record<OrderStatus, Readonly<Partial<Record<OrderMover, From>>>>> = {
  PENDING: {},
  SUBMITTED: { handOver: notHandedOver, pharmacy: notHandedOver, backOffice: notHandedOver },
  SHIPPED: { pharmacy: notShipped, backOffice: notShipped },
  DELIVERED: { pharmacy: notDelivered, backOffice: notDelivered },
  CANCELED: { handOver: notHandedOver, pharmacy: notShipped, backOffice: notShipped },
  ERROR: { handOver: ["PENDING"], pharmacy: notFailed, backOffice: notFailed }
}

/** Whether somebody may move an order from one status to another. */
export const canTransition = (mover: OrderMover, from: OrderStatus, to: OrderStatus): boolean =>
  orderMoves[to][mover]?.includes(from) === true

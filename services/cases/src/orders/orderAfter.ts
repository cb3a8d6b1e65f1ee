import {
  canTransition,
  maxListed,
  type Order,
  type OrderMover,
  type OrderStatus,
  type ShippingLog
} from "@care/domain/cases"
import type { OrderRow } from "./OrdersRepo.ts"

type Facts = Pick<
  OrderRow,
  | "pharmacyOrderId"
  | "pharmacyName"
  | "items"
  | "trackingId"
  | "trackingUrl"
  | "carrierName"
  | "estDeliveryAt"
  | "message"
  | "replacementReason"
>

/** What is told of an order. `reportedAt` is when that was made, of what may arrive in another order than it was made. */
export interface OrderUpdate extends Partial<{ readonly [Fact in keyof Facts]: Facts[Fact] | undefined }> {
  readonly status?: OrderStatus | undefined
  readonly shippingLog?: ShippingLog | undefined
  readonly reportedAt?: Date | undefined
}

type Choose = <A>(known: A, told: A | undefined) => A

const told: Choose = (known, told) => told ?? known
const unlessKnown: Choose = (known, told) => known ?? told ?? known

const withFacts = (order: OrderRow, update: OrderUpdate, choose: Choose): OrderRow => ({
  ...order,
  pharmacyOrderId: choose(order.pharmacyOrderId, update.pharmacyOrderId),
  pharmacyName: choose(order.pharmacyName, update.pharmacyName),
  items: choose(order.items, update.items),
  trackingId: choose(order.trackingId, update.trackingId),
  trackingUrl: choose(order.trackingUrl, update.trackingUrl),
  carrierName: choose(order.carrierName, update.carrierName),
  estDeliveryAt: choose(order.estDeliveryAt, update.estDeliveryAt),
  message: choose(order.message, update.message),
  replacementReason: choose(order.replacementReason, update.replacementReason)
})

const withLog = (logs: Order["shippingLogs"], log: ShippingLog | undefined): Order["shippingLogs"] =>
  log === undefined
    ? logs
    : [...logs, log].sort((a, b) => a.statusUpdatedAt.getTime() - b.statusUpdatedAt.getTime()).slice(-maxListed)

/**
 * An order after news of it, and whether it is where they say. What comes too late (older than what was told, or of a
 * status that the order has left behind) does not move the order, and fills in only what nobody has told yet, and no message; its entry of
 * the shipping log takes its place among the others, of which the newest are kept.
 */
export const orderAfter = (
  before: OrderRow,
  mover: OrderMover,
  update: OrderUpdate
): { readonly order: OrderRow; readonly isMoved: boolean } => {
  const { status = before.status, reportedAt } = update
  const logged = { ...before, shippingLogs: withLog(before.shippingLogs, update.shippingLog) }
  const isOld = reportedAt !== undefined && before.reportedAt !== null && reportedAt < before.reportedAt
  const isMoved = status === before.status || canTransition(mover, before.status, status)
  // The message is of the status that was told, which is not the order's.
  if (isOld || !isMoved) return { order: withFacts(logged, { ...update, message: undefined }, unlessKnown), isMoved }
  const isMended = before.status === "ERROR" && status !== "ERROR"
  const moved = { ...logged, status, reportedAt: reportedAt ?? before.reportedAt, ...(isMended && { message: null }) }
  return { order: withFacts(moved, update, told), isMoved }
}

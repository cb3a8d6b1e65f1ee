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

/** An update of an order. `reportedAt` is the time of an update that may arrive out of order. */
export interface OrderUpdate extends Partial<{ readonly [Fact in keyof Facts]: Facts[Fact] | undefined }> {
  readonly status?: OrderStatus | undefined
  readonly shippingLog?: ShippingLog | undefined
  readonly reportedAt?: Date | undefined
}

type Choose = <A>(current: A, reported: A | undefined) => A

const preferReported: Choose = (current, reported) => reported ?? current
const preferCurrent: Choose = (current, reported) => current ?? reported ?? current

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
 * Returns an order after an update, and whether it has the status of the update. A late update (older than the last one, or with a
 * status that the order has left behind) does not move the order. It only fills in facts that are missing, except the message. Its entry
 * of the shipping log is sorted in, and the newest entries are kept.
 */
export const orderAfter = (
  before: OrderRow,
  mover: OrderMover,
  update: OrderUpdate
): { readonly order: OrderRow; readonly isMoved: boolean } => {
  const { status = before.status, reportedAt } = update
  const withEntry = { ...before, shippingLogs: withLog(before.shippingLogs, update.shippingLog) }
  const isOld = reportedAt !== undefined && before.reportedAt !== null && reportedAt < before.reportedAt
  const isMoved = status === before.status || canTransition(mover, before.status, status)
  // The message belongs to the status of the update, which the order does not have.
  if (isOld || !isMoved)
    return { order: withFacts(withEntry, { ...update, message: undefined }, preferCurrent), isMoved }
  const isRecovered = before.status === "ERROR" && status !== "ERROR"
  const moved = {
    ...withEntry,
    status,
    reportedAt: reportedAt ?? before.reportedAt,
    ...(isRecovered && { message: null })
  }
  return { order: withFacts(moved, update, preferReported), isMoved }
}

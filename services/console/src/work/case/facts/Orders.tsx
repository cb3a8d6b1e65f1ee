import type { AdminCase, Order } from "@care/domain/cases"
import { Moment } from "../../../ui/Moment.tsx"
import { Panel } from "../../../ui/Panel.tsx"
import { OrderSteps } from "./OrderSteps.tsx"
import { SafeLink } from "./SafeLink.tsx"

const ShippingLog = ({ logs }: { readonly logs: Order["shippingLogs"] }) => (
  <details className="text-sm">
    <summary className="cursor-default text-muted">Shipping log</summary>
    <ul className="mt-1 flex flex-col gap-1">
      {logs.toReversed().map(({ location, message, status, statusUpdatedAt }, index) => (
        <li key={index} dir="auto" className="break-words">
          <Moment at={statusUpdatedAt} /> {[status, message, location].filter((part) => part !== null).join(", ")}
        </li>
      ))}
    </ul>
  </details>
)

const OrderView = ({ order }: { readonly order: Order }) => {
  const { carrierName, createdAt, estDeliveryAt, items, message, pharmacyName, status } = order
  const { replacementReason, shippingLogs, trackingId, trackingUrl } = order
  return (
    <li className="flex flex-col gap-2 py-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span dir="auto" className="min-w-0 font-medium break-words">
          {items.map(({ name, quantity }) => `${name}, ${quantity}`).join("; ")}
        </span>
        <span className="text-sm text-muted">
          <span dir="auto">{pharmacyName}</span>, <Moment at={createdAt} />
        </span>
      </div>
      <OrderSteps status={status} />
      {message === null ? null : (
        <p dir="auto" className="break-words">
          {message}
        </p>
      )}
      {replacementReason === null ? null : (
        <p dir="auto" className="break-words">
          <span className="text-muted">Replaced:</span> {replacementReason}
        </p>
      )}
      {trackingId === null && trackingUrl === null && estDeliveryAt === null ? null : (
        <p className="flex flex-wrap gap-x-3 text-sm">
          {trackingId === null ? null : (
            <span className="break-words">
              {carrierName ?? "Tracking"} {trackingId}
            </span>
          )}
          {trackingUrl === null ? null : <SafeLink href={trackingUrl}>Follow the parcel</SafeLink>}
          {estDeliveryAt === null ? null : (
            <span>
              Expected <Moment at={estDeliveryAt} />
            </span>
          )}
        </p>
      )}
      {shippingLogs.length === 0 ? null : <ShippingLog logs={shippingLogs} />}
    </li>
  )
}

/** The medication orders of a case and how far they are, the newest first. */
export const Orders = ({ caseDetail: { orders = [] } }: { readonly caseDetail: AdminCase }) =>
  orders.length === 0 ? null : (
    <Panel title="Orders">
      <ul className="flex flex-col divide-y divide-line">
        {orders.toReversed().map((order) => (
          <OrderView key={order.id} order={order} />
        ))}
      </ul>
    </Panel>
  )

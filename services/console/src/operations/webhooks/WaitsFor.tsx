import type { WebhookEndpointId } from "@care/domain/ids"
import type { WebhookDelivery } from "@care/domain/webhooks"
import { Link } from "@tanstack/react-router"
import { linkLook } from "../../ui/linkLook.ts"
import { Moment } from "../../ui/Moment.tsx"

const texts = {
  EARLIER_EVENT: "An earlier event of the case",
  ENDPOINT_DISABLED: "The endpoint, which is paused or disabled",
  ENDPOINT_BUSY: "The endpoint, which asked for a pause",
  NEXT_ATTEMPT: "The next attempt"
} as const

interface WaitsForProps {
  readonly delivery: Pick<WebhookDelivery, "status" | "waitsFor">
  readonly endpointId: WebhookEndpointId
}

/** Why a delivery is not sent now. */
export const WaitsFor = ({ delivery: { status, waitsFor }, endpointId }: WaitsForProps) => {
  if (status !== "PENDING") return <span className="text-muted">Nothing</span>
  if (waitsFor === null) return <>Nothing: it is sent next</>
  const { deliveryId, reason, until } = waitsFor
  return (
    <span>
      {deliveryId === null ? (
        texts[reason]
      ) : (
        <Link to="/webhooks/$endpointId/$deliveryId" params={{ endpointId, deliveryId }} className={linkLook}>
          {texts[reason]}
        </Link>
      )}
      {until === null ? null : (
        <>
          {" "}
          (<Moment at={until} />)
        </>
      )}
    </span>
  )
}

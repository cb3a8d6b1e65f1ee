import type { WebhookDelivery } from "@care/domain/webhooks"
import { Moment } from "../../ui/Moment.tsx"

const texts = {
  EARLIER_EVENT: "An earlier event of the case",
  ENDPOINT_DISABLED: "The endpoint, which is paused or disabled",
  ENDPOINT_BUSY: "The endpoint, which asked for a pause",
  NEXT_ATTEMPT: "The next attempt"
} as const

interface WaitsForProps {
  readonly delivery: Pick<WebhookDelivery, "status" | "waitsFor">
}

/** Why a delivery is not sent now. */
export const WaitsFor = ({ delivery: { status, waitsFor } }: WaitsForProps) => {
  if (status !== "PENDING") return <span className="text-muted">Nothing</span>
  if (waitsFor === null) return <>Nothing: it is sent next</>
  return (
    <span>
      {texts[waitsFor.reason]}
      {waitsFor.until === null ? null : (
        <>
          {" "}
          (<Moment at={waitsFor.until} />)
        </>
      )}
    </span>
  )
}

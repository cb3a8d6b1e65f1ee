import type { DeliveryWait } from "@care/domain/webhooks"
import { Moment } from "../../ui/Moment.tsx"

const texts = {
  EARLIER_EVENT: "An earlier event of the case, which goes first",
  ENDPOINT_DISABLED: "The endpoint, which is paused or disabled",
  ENDPOINT_BUSY: "The endpoint, which asked for a pause",
  NEXT_ATTEMPT: "The next attempt"
} as const

/** Why a delivery is not sent now. */
export const WaitsFor = ({ wait: { reason, until } }: { readonly wait: DeliveryWait }) => (
  <span>
    {texts[reason]}
    {until === null ? null : (
      <>
        {" "}
        (<Moment at={until} />)
      </>
    )}
  </span>
)

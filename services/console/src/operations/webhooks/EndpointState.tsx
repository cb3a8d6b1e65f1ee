import type { WebhookEndpoint } from "@care/domain/webhooks"
import { Badge } from "../../ui/Badge.tsx"
import { Moment } from "../../ui/Moment.tsx"

const reasons = {
  GONE: "Disabled: it answered 410",
  FAILING: "Disabled: it failed for five days"
} as const

/** Whether events are sent to an endpoint, and whether they arrive. */
export const EndpointState = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const { disabledReason, enabled, failingSince } = endpoint
  if (!enabled) {
    return disabledReason === null ? <Badge text="Paused" /> : <Badge look="bad" text={reasons[disabledReason]} />
  }
  if (failingSince === null) return <Badge look="good" text="Enabled" />
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge look="warn" text="Failing" />
      <span className="text-sm">
        since <Moment at={failingSince} />
      </span>
    </span>
  )
}

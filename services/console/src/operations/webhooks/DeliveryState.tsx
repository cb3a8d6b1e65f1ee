import type { WebhookDelivery } from "@care/domain/webhooks"
import { Badge } from "../../ui/Badge.tsx"

const states = {
  PENDING: { text: "Pending", look: "warn" },
  DELIVERED: { text: "Delivered", look: "good" },
  FAILED: { text: "Given up", look: "bad" }
} as const

/** Returns the status of a delivery in words. */
export const deliveryInWords = (status: WebhookDelivery["status"]): string => states[status].text

/** The status of a delivery. */
export const DeliveryState = ({ status }: { readonly status: WebhookDelivery["status"] }) => (
  <Badge {...states[status]} />
)

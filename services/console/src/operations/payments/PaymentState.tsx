import type { PaymentStatus } from "@care/domain/payments/PaymentStatus"
import { Badge, type BadgeLook } from "../../ui/Badge.tsx"

const states: Readonly<Record<PaymentStatus, { readonly text: string; readonly look: BadgeLook }>> = {
  UNPAID: { text: "Unpaid", look: "warn" },
  AUTHORIZED: { text: "Held", look: "accent" },
  PAID: { text: "Paid", look: "good" },
  CANCELED: { text: "Canceled", look: "plain" },
  IN_DISPUTE: { text: "In dispute", look: "bad" },
  LOST_DISPUTE: { text: "Dispute lost", look: "bad" },
  REFUND: { text: "Refunded", look: "plain" },
  ERROR: { text: "Error", look: "bad" }
}

/** Returns a payment's status in words. */
export const statusInWords = (status: PaymentStatus): string => states[status].text

/** A payment's status. */
export const PaymentState = ({ status }: { readonly status: PaymentStatus }) => <Badge {...states[status]} />

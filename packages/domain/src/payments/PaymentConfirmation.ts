import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { optionalUpTo, textUpTo } from "../http/Text.ts"
import { DateOnly } from "../http/Timestamp.ts"
import { CaseId } from "../Ids.ts"
import { Amount } from "./Amount.ts"
import { PaymentStatus } from "./PaymentStatus.ts"

/** The status of a payment made outside the service. `AUTHORIZED` exists only at the gateway. */
const ConfirmedStatus = PaymentStatus.pick([
  "PAID",
  "UNPAID",
  "CANCELED",
  "IN_DISPUTE",
  "LOST_DISPUTE",
  "REFUND",
  "ERROR"
])

/** The body of `POST /api/v1/customer-payment-confirmation`. The payer is the patient of the case. */
export const PaymentConfirmation = Schema.Struct({
  caseId: CaseId,
  amount: Amount,
  paymentDate: DateOnly,
  status: ConfirmedStatus,
  validUntil: DateOnly,
  email: Schema.optional(textUpTo(lengths.email)),
  phoneNumber: Schema.optional(textUpTo(lengths.code)),
  decisionId: optionalUpTo(lengths.reference, {
    description: "Any string. It distinguishes payments of the same day and amount, and is stored unchanged"
  }),
  description: Schema.optional(textUpTo(lengths.paragraph))
}).annotate({ identifier: "PaymentConfirmation" })
export type PaymentConfirmation = typeof PaymentConfirmation.Type

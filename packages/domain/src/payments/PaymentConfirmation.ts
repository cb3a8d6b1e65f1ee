import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { DateOnly } from "../http/DateOnly.ts"
import { optionalUpTo, textUpTo } from "../http/Text.ts"
import { CaseId } from "../Ids.ts"
import { Amount } from "./Amount.ts"
import { PaymentStatus } from "./PaymentStatus.ts"

/** Where a payment stands that was made outside the service: `AUTHORIZED` is of the gateway's alone. */
const ConfirmedStatus = PaymentStatus.pick([
  "PAID",
  "UNPAID",
  "CANCELED",
  "IN_DISPUTE",
  "LOST_DISPUTE",
  "REFUND",
  "ERROR"
])

/** The body of `POST /api/v1/customer-payment-confirmation`. Who paid is known from the case. */
export const PaymentConfirmation = Schema.Struct({
  caseId: CaseId,
  amount: Amount,
  paymentDate: DateOnly,
  status: ConfirmedStatus,
  validUntil: DateOnly,
  email: Schema.optional(textUpTo(lengths.email)),
  phoneNumber: Schema.optional(textUpTo(lengths.code)),
  decisionId: optionalUpTo(lengths.reference, {
    description: "Any text: it tells payments of one day and amount from each other, and is kept as it is"
  }),
  description: Schema.optional(textUpTo(lengths.paragraph))
}).annotate({ identifier: "PaymentConfirmation" })
export type PaymentConfirmation = typeof PaymentConfirmation.Type

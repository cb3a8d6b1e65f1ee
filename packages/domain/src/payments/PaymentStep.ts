import { Schema } from "effect"
import { stepOf } from "../http/stepOf.ts"
import { PaymentId } from "../Ids.ts"
import { PartOfPayment } from "./AdminPayment.ts"

const ofPayment = {
  paymentId: Schema.optional(PaymentId).annotate({
    description: "By default the newest payment that the step is possible for"
  })
}

/** What the patient, their bank and the payment gateway do, in test mode. */
export const PaymentStep = Schema.Union([
  // A held amount is captured.
  stepOf("PAYMENT_SUCCEEDED", ofPayment),
  stepOf("PAYMENT_FAILED", ofPayment),
  stepOf("PAYMENT_AUTHORIZED", ofPayment),
  stepOf("PAYMENT_CANCELED", ofPayment),
  stepOf("PAYMENT_REFUNDED", {
    ...ofPayment,
    amount: PartOfPayment.fields.amount.annotate({ description: "By default all that is not refunded yet" })
  }),
  stepOf("DISPUTE_OPENED", ofPayment),
  stepOf("DISPUTE_WON", ofPayment),
  stepOf("DISPUTE_LOST", ofPayment)
])
export type PaymentStep = typeof PaymentStep.Type

/** The names of the steps of payments. */
export const PaymentStepName = Schema.Literals(PaymentStep.members.map(({ fields }) => fields.step.literal))
export type PaymentStepName = PaymentStep["step"]

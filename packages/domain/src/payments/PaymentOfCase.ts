import { Schema } from "effect"
import { shownMoment } from "../http/shownAnswers.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { AdminPayment } from "./AdminPayment.ts"
import { createdPaymentExample } from "./CreatePayment.ts"

const { fields } = AdminPayment

/** A payment of a case as the case's partner reads it. Amounts are in major units of `currency`. */
export const PaymentOfCase = Schema.Struct({
  paymentId: fields.paymentId,
  status: fields.status,
  amount: fields.amount,
  grossAmount: fields.grossAmount,
  discount: fields.discount,
  currency: fields.currency,
  description: fields.description,
  productId: fields.productId,
  isInitial: fields.isInitial,
  providerReference: fields.providerReference,
  captureBefore: Schema.NullOr(Timestamp).annotate({
    description:
      "When the authorization expires. A payment that is not captured by then becomes CANCELED. Known only for cards."
  }),
  refunded: Schema.NullOr(Schema.Finite).annotate({
    description: "What the payment gateway gave back. Null of a payment that was not made there"
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "PaymentOfCase" })
export type PaymentOfCase = typeof PaymentOfCase.Type

export const paymentOfCaseExample: PaymentOfCase = {
  ...createdPaymentExample,
  grossAmount: createdPaymentExample.amount,
  discount: null,
  currency: "USD",
  productId: null,
  isInitial: false,
  providerReference: null,
  captureBefore: new Date("2026-08-08T10:00:00.000Z"),
  refunded: 0,
  updatedAt: shownMoment
}

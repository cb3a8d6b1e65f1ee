import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { shownMoment } from "../http/shownAnswers.ts"
import { shownIds } from "../http/shownIds.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { PaymentId, UuidV4 } from "../Ids.ts"
import { PositiveAmount } from "./Amount.ts"
import { PaymentStatus } from "./PaymentStatus.ts"

/** The body of a new payment of a case. Its currency is that of the case's first payment, else US dollars. */
export const CreatePayment = Schema.Struct({
  amount: PositiveAmount,
  description: nonBlankUpTo(lengths.paragraph),
  productId: Schema.optional(UuidV4.pipe(Schema.brand("ProductId"))),
  status: Schema.optional(Schema.Literal("UNPAID")),
  idempotencyKey: Schema.optional(nonBlankUpTo(lengths.reference)),
  preauthorize: Schema.optional(Schema.Boolean)
}).annotate({ identifier: "CreatePayment" })
export type CreatePayment = typeof CreatePayment.Type

export const createPaymentExample = { amount: 299.99, description: "Second month", preauthorize: true }

/** A payment of a case as partners see it. */
export const CreatedPayment = Schema.Struct({
  paymentId: PaymentId,
  status: PaymentStatus,
  amount: Schema.Finite,
  description: Schema.NullOr(Schema.String),
  createdAt: Timestamp
}).annotate({ identifier: "CasePayment" })
export type CreatedPayment = typeof CreatedPayment.Type

export const createdPaymentExample: CreatedPayment = {
  paymentId: PaymentId.make(shownIds.payment),
  status: "AUTHORIZED",
  amount: createPaymentExample.amount,
  description: createPaymentExample.description,
  createdAt: shownMoment
}

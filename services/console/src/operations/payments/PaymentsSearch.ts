import { CaseId } from "@care/domain/ids"
import { PaymentStatus } from "@care/domain/payments/PaymentStatus"
import { Schema } from "effect"

/** The filters of payments, as the address of the screen has them. */
export const PaymentsSearch = Schema.Struct({
  status: Schema.optional(PaymentStatus),
  caseId: Schema.optional(CaseId)
})
export type PaymentsSearch = typeof PaymentsSearch.Type

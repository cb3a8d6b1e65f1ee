import { Schema } from "effect"
import { CaseId, OrganizationId, PaymentId } from "../Ids.ts"
import { PaymentStatus } from "./PaymentStatus.ts"

/**
 * What payments tells cases of a payment: of two, the one with the higher version is true. `outcome` is what became of the
 * payment intent that the case began with; null while nothing is known, and of other payments.
 */
export const PaymentSnapshot = Schema.Struct({
  organizationId: OrganizationId,
  caseId: CaseId,
  paymentId: PaymentId,
  status: PaymentStatus,
  outcome: Schema.NullOr(Schema.Literals(["SUCCEEDED", "FAILED"])),
  version: Schema.Int
})
export type PaymentSnapshot = typeof PaymentSnapshot.Type

import { Schema } from "effect"
import { makeReplica } from "../http/makeReplica.ts"
import { CaseId, OrganizationId, PaymentId } from "../Ids.ts"
import { PaymentStatus } from "./PaymentStatus.ts"

/**
 * The status of a payment of a case, as of a version. `outcome` is the outcome of the payment intent that the case began with; null while
 * it is not known, and of other payments.
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

/** The cases service stores the status of each payment of a case. */
export const paymentReplica = makeReplica("payments", "cases", PaymentId, PaymentSnapshot)

import { type Call, emit } from "./Call.ts"
import { putCharge } from "./Charge.ts"
import { newId } from "./ids.ts"
import { invalid, unknownObject } from "./Refusal.ts"

const noEvidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null
}

type DisputeStatus = "needs_response" | "under_review" | "won" | "lost"

export interface Dispute {
  readonly id: string
  readonly object: "dispute"
  readonly amount: number
  readonly balance_transactions: ReadonlyArray<never>
  readonly charge: string
  readonly created: number
  readonly currency: string
  readonly enhanced_eligibility_types: ReadonlyArray<never>
  readonly evidence: Readonly<Record<keyof typeof noEvidence, string | object | null>>
  readonly evidence_details: object
  readonly intended_submission_method: null
  readonly is_charge_refundable: false
  readonly livemode: false
  readonly metadata: Readonly<Record<string, string>>
  readonly payment_intent: string
  readonly payment_method_details: object
  readonly reason: string
  readonly status: DisputeStatus
}

const responseSeconds = 9 * 24 * 3600

/** The dispute of a path. */
export const disputeAt = ({ books }: Call, id: string): Dispute => {
  const dispute = books.get("dispute", id)
  if (dispute === undefined) throw unknownObject("dispute", id)
  return dispute
}

/** A cardholder disputes what was taken of them. */
export const openDispute = (call: Call, chargeId: string, reason: string): Dispute => {
  const charge = call.books.get("charge", chargeId)
  if (charge?.captured !== true || charge.disputed) throw invalid("This charge cannot be disputed.")
  const id = newId("dp")
  const dispute = call.books.put("dispute", id, {
    id,
    object: "dispute",
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: call.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: call.now + responseSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: "visa", case_type: "chargeback", network_reason_code: "10.4" },
      type: "card"
    },
    reason,
    status: "needs_response"
  })
  putCharge(call, { ...charge, disputed: true })
  emit(call, "charge.dispute.created", dispute)
  emit(call, "charge.dispute.funds_withdrawn", dispute)
  return dispute
}

/** A dispute goes on: it is answered, won or lost. */
export const moveDispute = (call: Call, before: Dispute, change: Partial<Dispute>): Dispute => {
  if (before.status === "won" || before.status === "lost") throw invalid("This dispute is closed.")
  const after = call.books.put("dispute", before.id, { ...before, ...change })
  const isClosed = after.status === "won" || after.status === "lost"
  emit(call, isClosed ? "charge.dispute.closed" : "charge.dispute.updated", after, before)
  if (after.status === "won") emit(call, "charge.dispute.funds_reinstated", after)
  return after
}

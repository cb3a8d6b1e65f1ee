import { type Call, emit, putWithEvent } from "./Call.ts"
import { disputeConstants } from "./constantFields.ts"
import { newId } from "./ids.ts"
import type { Charge, Dispute, DisputeStatus } from "./objects.ts"
import { invalid } from "./Refusal.ts"

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

// The statuses that may follow each status. An appeal may win a lost dispute.
const next: Readonly<Record<DisputeStatus, ReadonlyArray<DisputeStatus>>> = {
  warning_needs_response: ["warning_needs_response", "warning_under_review", "warning_closed", "needs_response"],
  warning_under_review: ["warning_under_review", "warning_closed", "needs_response"],
  warning_closed: [],
  needs_response: ["needs_response", "under_review", "won", "lost"],
  under_review: ["under_review", "won", "lost"],
  won: [],
  lost: ["won"]
}

const closed: ReadonlyArray<DisputeStatus> = ["warning_closed", "won", "lost"]

export const isInquiry = (status: DisputeStatus): boolean => status.startsWith("warning_")

const isWithdrawn = (status: DisputeStatus): boolean => status !== "won" && !isInquiry(status)

const responseSeconds = 9 * 24 * 3600

/** Returns whether a charge cannot be refunded because it is disputed. An inquiry does not prevent a refund. */
export const isDisputed = ({ ledger }: Call, { id }: Charge): boolean =>
  ledger.all("dispute").some(({ charge, is_charge_refundable }) => charge === id && !is_charge_refundable)

/** Opens a dispute or an inquiry about a captured charge. */
export const openDispute = (
  call: Call,
  chargeId: string,
  reason: string,
  status: DisputeStatus = "needs_response"
): Dispute => {
  const charge = call.ledger.get("charge", chargeId)
  if (charge?.captured !== true || charge.disputed) throw invalid("This charge cannot be disputed.")
  const dispute = putWithEvent(call, "dispute", "charge.dispute.created", {
    ...disputeConstants,
    id: newId("dp"),
    amount: charge.amount_captured,
    charge: charge.id,
    created: call.now,
    currency: charge.currency,
    evidence: noEvidence,
    evidence_details: {
      due_by: call.now + responseSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0
    },
    is_charge_refundable: isInquiry(status),
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status
  })
  call.ledger.put("charge", charge.id, { ...charge, disputed: true })
  if (isWithdrawn(status)) emit(call, "charge.dispute.funds_withdrawn", dispute)
  return dispute
}

/** Changes a dispute. Its new status must be one that may follow. */
export const moveDispute = (call: Call, before: Dispute, change: Partial<Dispute>): Dispute => {
  const { status = before.status } = change
  if (!next[before.status].includes(status)) {
    throw invalid(
      closed.includes(before.status)
        ? "This dispute is closed."
        : `A dispute that is ${before.status} is not ${status} next.`
    )
  }
  // An appeal is decided weeks after the loss, never in the same second.
  const at = before.status === "lost" ? { ...call, now: call.now + 1 } : call
  const type = closed.includes(status) ? "charge.dispute.closed" : "charge.dispute.updated"
  const after = { ...before, ...change, is_charge_refundable: isInquiry(status) }
  putWithEvent(at, "dispute", type, after, before)
  if (isWithdrawn(status) && !isWithdrawn(before.status)) emit(at, "charge.dispute.funds_withdrawn", after)
  if (!isWithdrawn(status) && isWithdrawn(before.status)) emit(at, "charge.dispute.funds_reinstated", after)
  return after
}

import { type Call, emit, putWithEvent } from "./Call.ts"
import { disputeConstants } from "./constantFields.ts"
import { newId } from "./ids.ts"
import type { Charge, Dispute, DisputeStatus } from "./objects.ts"
import { invalid } from "./Refusal.ts"

const evidenceFields = `
  access_activity_log billing_address cancellation_policy cancellation_policy_disclosure
  cancellation_rebuttal customer_communication customer_email_address customer_name
  customer_purchase_ip customer_signature duplicate_charge_documentation duplicate_charge_explanation
  duplicate_charge_id product_description receipt refund_policy refund_policy_disclosure
  refund_refusal_explanation service_date service_documentation shipping_address shipping_carrier
  shipping_date shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text
`

const noEvidence = {
  ...Object.fromEntries(
    evidenceFields
      .trim()
      .split(/\s+/)
      .map((name) => [name, null])
  ),
  enhanced_evidence: {}
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

import { type Call, emit } from "./Call.ts"
import { type Charge, putCharge } from "./Charge.ts"
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

/** An inquiry (`warning_...`) withdraws no money, and may become a dispute. */
export const disputeStatuses = [
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "needs_response",
  "under_review",
  "won",
  "lost"
] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

// What a dispute may be next. A loss may be won by an appeal.
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
  readonly is_charge_refundable: boolean
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

/** Whether a charge is disputed by more than an inquiry, so that it cannot be refunded. */
export const isDisputed = ({ books }: Call, { id }: Charge): boolean =>
  books.all("dispute").some(({ charge, is_charge_refundable }) => charge === id && !is_charge_refundable)

/** A cardholder disputes what was taken of them, or their bank inquires first. */
export const openDispute = (
  call: Call,
  chargeId: string,
  reason: string,
  status: DisputeStatus = "needs_response"
): Dispute => {
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
    is_charge_refundable: isInquiry(status),
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: "visa", case_type: "chargeback", network_reason_code: "10.4" },
      type: "card"
    },
    reason,
    status
  })
  putCharge(call, { ...charge, disputed: true })
  emit(call, "charge.dispute.created", dispute)
  if (isWithdrawn(status)) emit(call, "charge.dispute.funds_withdrawn", dispute)
  return dispute
}

/** A dispute goes on: it is answered, won or lost, an inquiry becomes one, or a loss is won by an appeal. */
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
  const after = call.books.put("dispute", before.id, { ...before, ...change, is_charge_refundable: isInquiry(status) })
  emit(at, closed.includes(status) ? "charge.dispute.closed" : "charge.dispute.updated", after, before)
  if (isWithdrawn(status) && !isWithdrawn(before.status)) emit(at, "charge.dispute.funds_withdrawn", after)
  if (!isWithdrawn(status) && isWithdrawn(before.status)) emit(at, "charge.dispute.funds_reinstated", after)
  return after
}

import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { type Dispute, type DisputeStatus, disputeAt, isInquiry, moveDispute } from "./Dispute.ts"
import { pageOf } from "./pageOf.ts"
import { created, flag, metadata, metadataAfter, page, text } from "./params.ts"
import { route } from "./route.ts"

const key = Schema.optionalKey

const Changes = Schema.Struct({
  evidence: key(Schema.Struct({ uncategorized_text: key(text), product_description: key(text) })),
  metadata: key(metadata),
  submit: key(flag)
})

type Decisions = ReadonlyMap<string | undefined, DisputeStatus>

// The documented texts decide a dispute, or an inquiry, when they are submitted.
const decided: Decisions = new Map([
  ["winning_evidence", "won"],
  ["losing_evidence", "lost"]
])
const decidedInquiry: Decisions = new Map([
  ["winning_evidence", "warning_closed"],
  ["escalate_inquiry_evidence", "needs_response"]
])

const update = (call: Call, { evidence, metadata, submit = true }: typeof Changes.Type, id: string): Dispute => {
  const before = disputeAt(call, id)
  const isSubmitted = evidence !== undefined && submit
  const [underReview, decisions] = isInquiry(before.status)
    ? (["warning_under_review", decidedInquiry] as const)
    : (["under_review", decided] as const)
  const answered = moveDispute(call, before, {
    evidence: { ...before.evidence, ...evidence },
    metadata: metadataAfter(before.metadata, metadata),
    ...(isSubmitted && { status: underReview })
  })
  const status = isSubmitted ? decisions.get(evidence.uncategorized_text) : undefined
  if (status !== undefined) moveDispute(call, answered, { status })
  return answered
}

const Listed = Schema.Struct({ ...page, charge: key(text), created: key(created), payment_intent: key(text) })

const listed = ({ books }: Call, asked: typeof Listed.Type) => pageOf("/v1/disputes", books.all("dispute"), asked)

/** Disputes: a cardholder wants back what was taken. */
export const disputeRoutes = [
  route("GET", "/v1/disputes", Listed, listed),
  route("GET", "/v1/disputes/:id", Schema.Struct({}), (call, _, id) => disputeAt(call, id)),
  route("POST", "/v1/disputes/:id", Changes, update),
  route("POST", "/v1/disputes/:id/close", Schema.Struct({}), (call, _, id) =>
    moveDispute(call, disputeAt(call, id), { status: "lost" })
  )
]

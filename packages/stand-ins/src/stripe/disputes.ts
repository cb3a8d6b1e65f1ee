import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { readRoutes } from "./listPage.ts"
import { isInquiry, moveDispute } from "./moveDispute.ts"
import type { Dispute, DisputeStatus } from "./objects.ts"
import { createdFilter, flag, metadata, metadataAfter, optional, page, text } from "./params.ts"
import { route } from "./route.ts"

const Listed = Schema.Struct({
  ...page,
  charge: optional(text),
  created: optional(createdFilter),
  payment_intent: optional(text)
})

const Changes = Schema.Struct({
  evidence: optional(Schema.Struct({ uncategorized_text: optional(text), product_description: optional(text) })),
  metadata: optional(metadata),
  submit: optional(flag)
})

type Decisions = ReadonlyMap<string | undefined, DisputeStatus>

// Stripe's documented test texts decide a dispute or an inquiry when they are submitted.
const decided: Decisions = new Map([
  ["winning_evidence", "won"],
  ["losing_evidence", "lost"]
])
const decidedInquiry: Decisions = new Map([
  ["winning_evidence", "warning_closed"],
  ["escalate_inquiry_evidence", "needs_response"]
])

const update = (call: Call, { evidence, metadata, submit = true }: typeof Changes.Type, id: string): Dispute => {
  const before = call.ledger.at("dispute", id)
  const isSubmitted = evidence !== undefined && submit
  const [underReview, decisions] = isInquiry(before.status)
    ? (["warning_under_review", decidedInquiry] as const)
    : (["under_review", decided] as const)
  const moved = moveDispute(call, before, {
    evidence: { ...before.evidence, ...evidence },
    metadata: metadataAfter(before.metadata, metadata),
    ...(isSubmitted && { status: underReview })
  })
  const status = isSubmitted ? decisions.get(evidence.uncategorized_text) : undefined
  if (status !== undefined) moveDispute(call, moved, { status })
  return moved
}

/** The routes of disputes. */
export const disputeRoutes = [
  ...readRoutes("dispute", "/v1/disputes", Listed),
  route("POST", "/v1/disputes/:id", Changes, update),
  route("POST", "/v1/disputes/:id/close", Schema.Struct({}), (call, _, id) =>
    moveDispute(call, call.ledger.at("dispute", id), { status: "lost" })
  )
]

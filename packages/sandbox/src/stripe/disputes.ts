import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { type Dispute, disputeAt, moveDispute } from "./Dispute.ts"
import { pageOf } from "./pageOf.ts"
import { created, flag, metadata, metadataAfter, page, text } from "./params.ts"
import { route } from "./route.ts"

const key = Schema.optionalKey

const Changes = Schema.Struct({
  evidence: key(Schema.Struct({ uncategorized_text: key(text), product_description: key(text) })),
  metadata: key(metadata),
  submit: key(flag)
})

const decided = new Map<string | undefined, Dispute["status"]>([
  ["winning_evidence", "won"],
  ["losing_evidence", "lost"]
])

// The documented texts decide a dispute when they are submitted.
const update = (call: Call, { evidence, metadata, submit = true }: typeof Changes.Type, id: string): Dispute => {
  const before = disputeAt(call, id)
  const isSubmitted = evidence !== undefined && submit
  const answered = moveDispute(call, before, {
    evidence: { ...before.evidence, ...evidence },
    metadata: metadataAfter(before.metadata, metadata),
    ...(isSubmitted && { status: "under_review" })
  })
  const status = isSubmitted ? decided.get(evidence.uncategorized_text) : undefined
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

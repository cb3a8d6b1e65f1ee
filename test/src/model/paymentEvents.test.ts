import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { makeClinic } from "../harness/fixtures.ts"
import {
  abandon,
  archived,
  caseOf,
  eventOf,
  intentId,
  opened,
  paymentOf,
  settled,
  waiting
} from "../harness/gatewayEvents.ts"
import { Suite } from "../harness/Suite.ts"
import { sendEvent } from "../harness/stripe.ts"

const Kind = Schema.Literals([
  "created",
  "held",
  "failed",
  "canceled",
  "succeeded",
  "refunded",
  "disputed",
  "disputeWon",
  "disputeLost"
])
type Kind = typeof Kind.Type

const eventsOf = (intent: string): Readonly<Record<Kind, ReturnType<typeof eventOf>>> => {
  const dispute = (status: string) => ({ id: `dp_${intent}`, payment_intent: intent, status })
  return {
    created: eventOf("payment_intent.created", { id: intent, status: "requires_payment_method" }),
    held: eventOf("payment_intent.amount_capturable_updated", { id: intent, status: "requires_capture" }),
    failed: eventOf("payment_intent.payment_failed", { id: intent, status: "requires_payment_method" }),
    canceled: eventOf("payment_intent.canceled", { id: intent, status: "canceled" }),
    succeeded: eventOf("payment_intent.succeeded", { id: intent, status: "succeeded" }),
    refunded: eventOf("charge.refunded", { id: "ch_1", payment_intent: intent, captured: true, amount_refunded: 100 }),
    disputed: eventOf("charge.dispute.created", dispute("needs_response")),
    disputeWon: eventOf("charge.dispute.closed", dispute("won")),
    disputeLost: eventOf("charge.dispute.closed", dispute("lost"))
  }
}

// Where the specification and the design see the payment and its case, whatever came first.
const expected = (kinds: ReadonlyArray<Kind>) => {
  const told = new Set(kinds)
  const has = (...some: ReadonlyArray<Kind>) => some.some((kind) => told.has(kind))
  const isPaid = has("succeeded", "refunded", "disputed", "disputeWon", "disputeLost")
  const status = () => {
    if (has("disputeLost")) return "LOST_DISPUTE"
    if (has("disputed") && !has("disputeWon")) return "IN_DISPUTE"
    if (has("refunded")) return "REFUND"
    if (isPaid) return "PAID"
    if (has("canceled")) return "CANCELED"
    return has("held") ? "AUTHORIZED" : "UNPAID"
  }
  const failure = has("failed") ? archived : waiting
  return { status: status(), case: isPaid ? opened : failure }
}

const Sent = Schema.Array(Schema.Struct({ kind: Kind, isAgain: Schema.Boolean })).check(Schema.isBetweenLength(1, 8))

layer(Suite.shared, { timeout: "60 seconds", excludeTestServices: true })("a payment's events", (it) => {
  it.effect.prop(
    "lead to the same end in any order, told again, together, and before the case that names the intent",
    { sent: Sent, before: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })), isTogether: Schema.Boolean },
    Effect.fnUntraced(function* ({ before, isTogether, sent }) {
      const clinic = yield* makeClinic
      const intent = intentId()
      const events = eventsOf(intent)
      const send = (part: typeof sent) =>
        Effect.forEach(
          part.flatMap(({ isAgain, kind }) => (isAgain ? [events[kind], events[kind]] : [events[kind]])),
          (event) => Effect.map(sendEvent(event), ({ status }) => assert.strictEqual(status, 200)),
          { concurrency: isTogether ? "unbounded" : 1, discard: true }
        )
      yield* send(sent.slice(0, before))
      const caseId = yield* abandon(clinic, intent)
      yield* send(sent.slice(before))
      yield* settled
      const { status } = yield* paymentOf(caseId)
      const kinds = sent.map(({ kind }) => kind)
      assert.deepStrictEqual({ status, case: yield* caseOf(caseId) }, expected(kinds), JSON.stringify(sent))
    }),
    { arbitrary: { runs: 15 } }
  )
})

import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { makeClinic } from "../harness/fixtures.ts"
import {
  archived,
  caseOf,
  createAbandonedCase,
  eventOf,
  intentId,
  opened,
  paymentOf,
  untilEventsHandled,
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
  "asked",
  "disputed",
  "disputeWon",
  "disputeLost"
])
type Kind = typeof Kind.Type

/** An event at a time in seconds, and whether it is sent twice. */
const Sent = Schema.Struct({
  kind: Kind,
  second: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
  isAgain: Schema.Boolean
})
type Sent = typeof Sent.Type

const eventFor = (intent: string, { kind, second }: Sent) => {
  const event = (type: string, object: Readonly<Record<string, unknown>>) => {
    const gatewayEvent = eventOf(type, object)
    return { ...gatewayEvent, created: (gatewayEvent.created ?? 0) + second }
  }
  const dispute = (status: string) => ({ id: `dp_${intent}`, payment_intent: intent, status })
  switch (kind) {
    case "created":
      return event("payment_intent.created", { id: intent, status: "requires_payment_method" })
    case "held":
      return event("payment_intent.amount_capturable_updated", { id: intent, status: "requires_capture" })
    case "failed":
      return event("payment_intent.payment_failed", { id: intent, status: "requires_payment_method" })
    case "canceled":
      return event("payment_intent.canceled", { id: intent, status: "canceled" })
    case "succeeded":
      return event("payment_intent.succeeded", { id: intent, status: "succeeded" })
    case "refunded":
      return event("charge.refunded", { id: "ch_1", payment_intent: intent, captured: true, amount_refunded: 100 })
    case "asked":
      return event("charge.dispute.created", dispute("warning_needs_response"))
    case "disputed":
      return event("charge.dispute.updated", dispute("needs_response"))
    case "disputeWon":
      return event("charge.dispute.closed", dispute("won"))
    case "disputeLost":
      return event("charge.dispute.closed", dispute("lost"))
  }
}

// Of events in the same second the last in this order counts.
const disputeKinds: ReadonlyArray<Kind> = ["asked", "disputed", "disputeWon", "disputeLost"]

// Returns the state of the payment and its case by the specification, independent of the order of arrival.
const expected = (sent: ReadonlyArray<Sent>) => {
  const kinds = new Set(sent.map(({ kind }) => kind))
  const has = (...wanted: ReadonlyArray<Kind>) => wanted.some((kind) => kinds.has(kind))
  const isPaid = has("succeeded", "refunded", "disputed", "disputeWon", "disputeLost")
  const rank = ({ kind, second }: Sent) => second * 10 + disputeKinds.indexOf(kind)
  const dispute = sent
    .filter(({ kind }) => disputeKinds.includes(kind))
    .toSorted((a, b) => rank(a) - rank(b))
    .at(-1)?.kind
  const status = () => {
    if (dispute === "disputeLost") return "LOST_DISPUTE"
    if (dispute === "disputed") return "IN_DISPUTE"
    if (has("refunded")) return "REFUND"
    if (isPaid) return "PAID"
    if (has("canceled")) return "CANCELED"
    return has("held") ? "AUTHORIZED" : "UNPAID"
  }
  const failure = has("failed") ? archived : waiting
  return { status: status(), case: isPaid ? opened : failure }
}

const AllSent = Schema.Array(Sent).check(Schema.isBetweenLength(1, 8))

layer(Suite.shared, { timeout: "60 seconds", excludeTestServices: true })("a payment's events", (it) => {
  it.effect.prop(
    "lead to the same end in any order, told again, together, and before the case that names the intent",
    {
      sent: AllSent,
      before: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
      isTogether: Schema.Boolean
    },
    Effect.fnUntraced(function* ({ before, isTogether, sent }) {
      const clinic = yield* makeClinic
      const intent = intentId()
      const events = sent.map((sentEvent) => {
        const event = eventFor(intent, sentEvent)
        return sentEvent.isAgain ? [event, event] : [event]
      })
      const send = (part: typeof events) =>
        Effect.forEach(
          part.flat(),
          (event) => Effect.map(sendEvent(event), ({ status }) => assert.strictEqual(status, 200)),
          { concurrency: isTogether ? "unbounded" : 1, discard: true }
        )
      yield* send(events.slice(0, before))
      const caseId = yield* createAbandonedCase(clinic, intent)
      yield* send(events.slice(before))
      yield* untilEventsHandled
      const { status } = yield* paymentOf(caseId)
      assert.deepStrictEqual({ status, case: yield* caseOf(caseId) }, expected(sent), JSON.stringify(sent))
    }),
    { arbitrary: { runs: 15 } }
  )
})

import { OrganizationId } from "@care/domain/ids"
import type { GatewayEvent } from "@care/domain/payments"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { emptyIntentState } from "../stripe/IntentState.ts"
import { intentUpdateOf } from "./intentUpdateOf.ts"

const organizationId = OrganizationId.make("3b241101-e2bb-4255-8caf-4136c566a962")

const updateOf = (type: string, object: GatewayEvent["data"]["object"]) =>
  Option.getOrUndefined(intentUpdateOf({ id: "evt_1", type, created: 7, data: { object } }))

describe("intentUpdateOf", () => {
  it("an event implies the state of its type, even if its object has another one", () => {
    for (const [type, snapshot] of [
      ["payment_intent.succeeded", { isPaid: true }],
      ["payment_intent.payment_failed", { isFailed: true }],
      ["payment_intent.canceled", { isCanceled: true }],
      ["payment_intent.amount_capturable_updated", { isAuthorized: true }]
    ] as const) {
      assert.deepStrictEqual(updateOf(type, { id: "pi_1", status: "processing" }), {
        intentId: "pi_1",
        organizationId: undefined,
        state: { ...emptyIntentState, ...snapshot }
      })
    }
  })

  it("an intent has its amount, as of the event, and its organization", () => {
    const intent = {
      id: "pi_1",
      amount: 1050,
      amount_received: 1050,
      currency: "usd",
      metadata: { organizationId },
      status: "succeeded"
    }
    const worth = { units: 1050, currency: "USD", asOf: 7 }
    assert.deepStrictEqual(updateOf("payment_intent.succeeded", intent), {
      intentId: "pi_1",
      organizationId,
      state: { ...emptyIntentState, worth, isPaid: true, received: 1050 }
    })
    assert.strictEqual(
      updateOf("payment_intent.created", { ...intent, metadata: { organizationId: "none" } })?.organizationId,
      undefined
    )
  })

  it("a refunded charge has the refunded amount; one that was never captured means that the authorization has ended", () => {
    const charge = { id: "ch_1", payment_intent: "pi_1", captured: true, amount_captured: 900, amount_refunded: 400 }
    assert.deepStrictEqual(updateOf("charge.refunded", charge)?.state, {
      ...emptyIntentState,
      isPaid: true,
      received: 900,
      refunded: 400
    })
    assert.deepStrictEqual(updateOf("charge.refunded", { ...charge, captured: false, refunded: true })?.state, {
      ...emptyIntentState,
      isCanceled: true
    })
    assert.strictEqual(updateOf("charge.refunded", { ...charge, payment_intent: { id: "pi_2" } })?.intentId, "pi_2")
  })

  it("an authorized charge has its expiry; a captured one is left to the intent's event, and a failed one says nothing", () => {
    const card = { capture_before: 1_772_800_000 }
    const charge = {
      id: "ch_1",
      payment_intent: "pi_1",
      status: "succeeded",
      captured: false,
      payment_method_details: { type: "card", card }
    }
    assert.deepStrictEqual(updateOf("charge.succeeded", charge)?.state, {
      ...emptyIntentState,
      heldUntil: 1_772_800_000
    })
    assert.isUndefined(updateOf("charge.succeeded", { ...charge, captured: true, amount_captured: 900 }))
    for (const status of ["pending", "failed"]) assert.isUndefined(updateOf("charge.refunded", { ...charge, status }))
  })

  it("a refund has its amount and whether it failed, and a dispute its state as of the event", () => {
    const refund = { id: "re_1", payment_intent: "pi_1", amount: 400, status: "failed" }
    assert.deepStrictEqual(updateOf("refund.failed", refund)?.state.refunds, { re_1: { units: 400, isFailed: true } })
    for (const [type, status, isFailed] of [
      ["refund.created", "pending", false],
      ["refund.updated", "succeeded", false],
      ["refund.updated", "canceled", true],
      ["charge.refund.updated", "failed", true]
    ] as const) {
      assert.deepStrictEqual(updateOf(type, { ...refund, status })?.state.refunds, { re_1: { units: 400, isFailed } })
    }
    for (const [status, state] of [
      ["needs_response", "OPEN"],
      ["under_review", "OPEN"],
      ["won", "WON"],
      ["prevented", "WON"],
      ["lost", "LOST"],
      ["warning_needs_response", "INQUIRY"],
      ["warning_under_review", "INQUIRY"],
      ["warning_closed", "INQUIRY"]
    ] as const) {
      const dispute = updateOf("charge.dispute.closed", { id: "dp_1", payment_intent: "pi_1", status })
      const isPaid = state !== "INQUIRY"
      assert.deepStrictEqual(dispute?.state, { ...emptyIntentState, isPaid, disputes: { dp_1: { state, asOf: 7 } } })
    }
  })

  it("an event that concerns no payment, or cannot be read, has no update", () => {
    assert.isUndefined(updateOf("customer.created", { id: "cus_1" }))
    assert.isUndefined(updateOf("charge.refunded", { id: "ch_1", payment_intent: null }))
    assert.isUndefined(updateOf("payment_intent.succeeded", { amount: 1 }))
    assert.isUndefined(updateOf("payment_intent.succeeded", "pi_1"))
    assert.isUndefined(updateOf("charge.dispute.created", []))
  })
})

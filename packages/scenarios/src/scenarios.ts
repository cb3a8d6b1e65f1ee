import { Schema } from "effect"
import { Scenario } from "./Scenario.ts"
import abandonedCase from "./scenarios/abandoned-case.json" with { type: "json" }
import appointmentKept from "./scenarios/appointment-kept.json" with { type: "json" }
import appointmentMissed from "./scenarios/appointment-missed.json" with { type: "json" }
import appointmentMoved from "./scenarios/appointment-moved.json" with { type: "json" }
import approvedWithShipment from "./scenarios/approved-with-shipment.json" with { type: "json" }
import closedAndReopened from "./scenarios/closed-and-reopened.json" with { type: "json" }
import disputeLost from "./scenarios/dispute-lost.json" with { type: "json" }
import disputeWon from "./scenarios/dispute-won.json" with { type: "json" }
import escalationCompleted from "./scenarios/escalation-completed.json" with { type: "json" }
import noDecision from "./scenarios/no-decision.json" with { type: "json" }
import payLater from "./scenarios/pay-later.json" with { type: "json" }
import payLaterAfterFailure from "./scenarios/pay-later-after-failure.json" with { type: "json" }
import paymentCaptured from "./scenarios/payment-captured.json" with { type: "json" }
import paymentFailsThenSucceeds from "./scenarios/payment-fails-then-succeeds.json" with { type: "json" }
import paymentHoldExpires from "./scenarios/payment-hold-expires.json" with { type: "json" }
import paymentReleased from "./scenarios/payment-released.json" with { type: "json" }
import pharmacyRefuses from "./scenarios/pharmacy-refuses.json" with { type: "json" }
import pharmacyReplaces from "./scenarios/pharmacy-replaces.json" with { type: "json" }
import questionAndAnswer from "./scenarios/question-and-answer.json" with { type: "json" }
import refillAfterAMonth from "./scenarios/refill-after-a-month.json" with { type: "json" }
import refund from "./scenarios/refund.json" with { type: "json" }
import rejected from "./scenarios/rejected.json" with { type: "json" }
import severalProducts from "./scenarios/several-products.json" with { type: "json" }
import webhooksDown from "./scenarios/webhooks-down.json" with { type: "json" }

const decode = Schema.decodeUnknownSync(Scenario, { onExcessProperty: "error" })

/** The scenarios, by name: that of the file of each. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map(
  Object.entries({
    "abandoned-case": abandonedCase,
    "appointment-kept": appointmentKept,
    "appointment-missed": appointmentMissed,
    "appointment-moved": appointmentMoved,
    "approved-with-shipment": approvedWithShipment,
    "closed-and-reopened": closedAndReopened,
    "dispute-lost": disputeLost,
    "dispute-won": disputeWon,
    "escalation-completed": escalationCompleted,
    "no-decision": noDecision,
    "pay-later": payLater,
    "pay-later-after-failure": payLaterAfterFailure,
    "payment-captured": paymentCaptured,
    "payment-fails-then-succeeds": paymentFailsThenSucceeds,
    "payment-hold-expires": paymentHoldExpires,
    "payment-released": paymentReleased,
    "pharmacy-refuses": pharmacyRefuses,
    "pharmacy-replaces": pharmacyReplaces,
    "question-and-answer": questionAndAnswer,
    "refill-after-a-month": refillAfterAMonth,
    refund,
    rejected,
    "several-products": severalProducts,
    "webhooks-down": webhooksDown
  }).map(([name, file]) => [name, decode(file)])
)

import type { AnswerOf, BodyOf, Care } from "@care/client"
import { demoEventTypeId } from "@care/scenarios"
import type { PlannedCase } from "./planSeed.ts"
import type { ActionName } from "./stories.ts"

/** A case that exists. `index` chooses its texts. */
export interface MadeCase {
  readonly caseId: string
  readonly index: number
  readonly plan: PlannedCase
}

type Simulated = BodyOf<"simulations.simulate">
type NewEscalation = BodyOf<"caseActions.ADD_ESCALATION">["escalations"][number]

const chosen = <A>(choices: readonly [A, ...Array<A>], index: number): A =>
  choices[index % choices.length] ?? choices[0]

const questions = [
  "Thank you for your answers. Could you tell me when your blood pressure was last measured, and what it was?",
  "Before I decide: have you ever had a problem with your pancreas or your gallbladder?",
  "I see that you take other medication. Since when, and does it agree with you?",
  "Are you pregnant, or do you plan to be in the coming months?"
] as const

const approvals = [
  "Start with the lowest dose, once a week. Check in after four weeks.",
  "Approved for three months. Increase the dose after four weeks if there is no nausea.",
  "Approved. Drink enough, and eat small meals in the first weeks."
] as const

const rejections = [
  "This medication is not safe together with what you take. Please see your doctor in person.",
  "Your answers show a condition with which we cannot treat you online."
] as const

const escalations: readonly [NewEscalation, ...Array<NewEscalation>] = [
  { type: "support", title: "Delivery/Fulfillment Issue", note: "The patient says that the parcel has not arrived" },
  { type: "clinical", title: "Contact Patient", note: "The patient asks how to inject, and would like a call" },
  { type: "support", title: "Billing Question", note: "The patient asks what the monthly price includes" },
  { type: "clinical", title: "Review Side Effects", note: "The patient tells of nausea after the second dose" }
]

const drugs = ["semaglutide-0.25", "tirzepatide-2.5"] as const

const clinic = {
  addressLine1: "1200 Clinic Way",
  city: "Oakland",
  state: "CA",
  country: "US",
  postalCode: "94607"
} as const

const orderOf = ({ plan: { patient, products } }: MadeCase): BodyOf<"caseActions.PLACE_ORDER"> => ({
  order: {
    shippingAddress: patient.shippingAddress,
    diagnosis: "E66.9",
    pharmacyId: "pharmacy-1",
    prescriber: {
      firstName: "Nora",
      lastName: "Hale",
      npi: "1234567893",
      email: "nora.hale@sandbox.example.com",
      phoneNumber: "(415) 555-2672",
      address: clinic
    },
    prescriptionItems: products.map((product) => ({
      drugId: chosen(drugs, product),
      quantity: "4",
      direction: "Inject under the skin once a week",
      refillCount: 2,
      supplyDays: 28
    }))
  }
})

const visitOf = (now: Date): BodyOf<"caseActions.CREATE_CALENDAR_EVENT"> => {
  const hour = 3_600_000
  const start = Math.ceil(now.getTime() / hour) * hour + 72 * hour
  return {
    calendar: {
      title: "Video visit",
      agentName: "custom",
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + hour / 2).toISOString(),
      timeZone: "America/New_York",
      meetingLink: "https://meet.example.com/visit",
      location: "zoom_conference"
    }
  }
}

const millisOfDay = 86_400_000

// Cases take different slots, which others may have taken meanwhile. Without any the booking is refused.
const bookVisit: Action = (care, { caseId, index }, now, signal) => {
  const after = (days: number) => new Date(now.getTime() + days * millisOfDay).toISOString()
  const query = { event_type_id: demoEventTypeId, start_time: after(1), end_time: after(4) }
  return care.appointments.openSlots(query, { signal }).then(({ data }) => {
    const startTime = data[index % Math.max(1, data.length)]?.startTime ?? after(1)
    const step = { step: "APPOINTMENT_BOOKED", eventTypeId: demoEventTypeId, startTime } as const
    return care.testCases.simulate(caseId, step, { signal })
  })
}

/** Sends an action at a time of the sandbox. */
type Action = (care: Care, made: MadeCase, now: Date, signal: AbortSignal) => Promise<unknown>

const simulated =
  (stepOf: (made: MadeCase) => Simulated): Action =>
  (care, made, _, signal) =>
    care.testCases.simulate(made.caseId, stepOf(made), { signal })

/** How each action is sent: by the partner, or by the test operation that plays others. */
export const actions: Readonly<Record<ActionName, Action>> = {
  start: simulated(() => ({ step: "START" })),
  ask: simulated(({ index }) => ({ step: "COMMENT", text: chosen(questions, index) })),
  approve: simulated(({ index }) => ({ step: "APPROVE", decisionText: chosen(approvals, index) })),
  reject: simulated(({ index }) => ({ step: "REJECT", decisionText: chosen(rejections, index) })),
  leaveUndecided: simulated(() => ({ step: "NO_DECISION", decisionText: "The patient did not answer my question" })),
  order: (care, made, _, signal) => care.cases.placeOrder(made.caseId, orderOf(made), { signal }),
  shipped: simulated(({ index }) => ({
    step: "ORDER_SHIPPED",
    trackingId: `1Z999AA1${10_000_000 + index}`,
    carrierName: "UPS"
  })),
  delivered: simulated(() => ({ step: "ORDER_DELIVERED" })),
  refused: simulated(() => ({ step: "ORDER_REFUSED", message: "The drug is out of stock until next month" })),
  escalate: (care, { caseId, index }, _, signal) =>
    care.cases.escalate(caseId, { escalations: [chosen(escalations, index)] }, { signal }),
  completeEscalation: simulated(() => ({ step: "ESCALATION_COMPLETED" })),
  bookVisit,
  missVisit: simulated(() => ({ step: "APPOINTMENT_MISSED" })),
  pay: simulated(() => ({ step: "PAYMENT_SUCCEEDED" })),
  hold: simulated(() => ({ step: "PAYMENT_AUTHORIZED" })),
  refund: simulated(() => ({ step: "PAYMENT_REFUNDED" })),
  planVisit: (care, { caseId }, now, signal) => care.cases.createCalendarEvent(caseId, visitOf(now), { signal }),
  close: (care, { caseId }, _, signal) => care.cases.changeStatus(caseId, { status: "CLOSE" }, { signal })
}

const price = 299

/** Creates a planned case, with its payment if it has one. The patient may have a case already. */
export const createCase = (
  care: Care,
  { checkout, form, patient, products, visitType }: PlannedCase,
  productIds: ReadonlyArray<string>,
  signal: AbortSignal
): Promise<AnswerOf<"intake.createCase">> => {
  const chosenIds = products.flatMap((index) => productIds[index] ?? [])
  const body: BodyOf<"intake.createCase"> = {
    forceCreate: true,
    user: patient,
    products: chosenIds.map((id) => ({ id, visitType, form }))
  }
  if (checkout === undefined) return care.cases.create(body, { signal })
  return care.payments.createIntent({ amount: price }, { signal }).then(({ data }) => {
    const [id = ""] = data.paymentIntentSecret.split("_secret_")
    const payment = { amount: price, currency: "USD", providerReference: { type: "PAYMENT_INTENT" as const, id } }
    const status = checkout === "CARD" ? ({ status: "ABANDONED" } as const) : {}
    return care.cases.create({ ...body, ...status, idempotencyKey: id, payment }, { signal })
  })
}

import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { calendarEvent, createEvent } from "../calendar.ts"
import { admin, call } from "../call.ts"
import { type Clinic, caseBody, createCase, newPatient, weightQuestion } from "../fixtures.ts"
import { eventOf, intentId, settled } from "../gatewayEvents.ts"
import { tell } from "../providerEvents.ts"
import { newPayment } from "../references.ts"
import { Suite } from "../Suite.ts"
import { signIn } from "../signIn.ts"
import { sendEvent } from "../stripe.ts"
import { health, own, person } from "./markers.ts"

/** What the pharmacy tells of an order, signed. */
const tellOfOrder = Effect.fnUntraced(function* (externalId: string) {
  const { secrets } = yield* Suite
  const sentAt = new Date()
  const data = { externalId, status: "SHIPPED", message: health, shippingLog: { message: health }, carrierName: own }
  const raw = JSON.stringify({ type: "order.updated", timestamp: sentAt, data })
  return yield* call("POST", "/webhooks/pharmacy", {
    raw,
    headers: {
      "webhook-id": "canary",
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": new Webhook(secrets.PHARMACY_WEBHOOK_SECRET).sign("canary", sentAt, raw)
    }
  })
})

/** Says what is marked through the operations that `tellEverything` does not use, about the case that it made. */
export const tellTheRest = Effect.fnUntraced(function* (clinic: Clinic, caseId: string) {
  const { key, organizationId } = clinic
  const { email } = person
  const question = { ...weightQuestion, answer: health }
  const form = { title: own, questions: [question] }
  const user = { ...newPatient(), ...person }
  const payment = { ...(yield* newPayment), promoCode: own }
  yield* createCase(clinic, caseBody(clinic, { user, products: [{ id: clinic.productId, form }], payment }))
  yield* call("POST", "/api/v1/customer-dynamic-case-form", {
    key,
    body: { caseId, formTitle: own, questions: [{ ...question, questionId: "q1" }] }
  })
  yield* call("POST", "/api/v1/payments/intent", {
    key,
    headers: { "idempotency-key": "intent" },
    body: { amount: 10, metadata: { email, phone: person.phoneNumber } }
  })
  for (const path of [
    `/check-user?email=${email}`,
    `/check-user?phone-number=${encodeURIComponent(person.phoneNumber)}`,
    `/customer-case-detail?email=${email}`,
    `/customer-latest-case-id?email=${email}`,
    `/promo-codes?code=${own}`
  ]) {
    yield* call("GET", `/api/v1${path}`, { key })
  }
  for (const path of [
    `/cases?email=${email}`,
    `/promo-codes?code=${own}&organizationId=${organizationId}`,
    `/jobs?queue=${own}`
  ]) {
    yield* admin("GET", path)
  }
  yield* admin("POST", "/reconciliations", {})
  yield* signIn(key, email)
  const night = { startTime: "2060-08-01T22:00:00.000Z", endTime: "2060-08-03T06:00:00.000Z" }
  yield* createEvent(clinic, caseId, calendarEvent({ ...night, title: health, agentName: own }))

  const [order] = (yield* admin("GET", `/cases/${caseId}/orders`)).json.data
  yield* tellOfOrder(order.id)
  const declined = { message: health, payment_method: { billing_details: { email, name: person.lastName } } }
  const intent = { id: intentId(), description: health, receipt_email: email, last_payment_error: declined }
  yield* sendEvent(eventOf("payment_intent.payment_failed", { ...intent, status: "requires_payment_method" }))
  yield* settled
  const event = `https://api.calendly.com/scheduled_events/1`
  yield* tell({
    event: "invitee.canceled",
    created_at: "2026-08-01T10:00:00.000000Z",
    payload: {
      uri: `${event}/invitees/1`,
      event,
      name: `${person.firstName} ${person.lastName}`,
      email,
      text_reminder_number: person.phoneNumber,
      questions_and_answers: [{ question: "Why?", answer: health }],
      cancellation: { reason: health, canceled_by: person.lastName },
      rescheduled: false,
      old_invitee: null
    }
  })
  // The last of all: from here on the patient has another address.
  yield* call("POST", "/api/v1/users", {
    key,
    headers: { "idempotency-key": "email" },
    body: { action: "UPDATE_EMAIL", data: { currentEmail: email, newEmail: `new.${email}` } }
  })
})

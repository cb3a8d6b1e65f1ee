import { askSlots, book, bookingBody, cancel } from "../appointments.ts"
import { cancelEvent, createEvent, listAppointments } from "../calendar.ts"
import { call } from "../call.ts"
import { caseBody, createCase } from "../fixtures.ts"
import { placeOrder } from "../placeOrder.ts"
import type { Attempt } from "./Attempt.ts"

const ofCase = (key: string, caseId: string, action: string, body: object) =>
  call("POST", `/api/v1/cases/${caseId}`, { key, body: { action, ...body } })

const weight = { question: "How much do you weigh?", type: "TEXT", required: true, answer: "185" }

/** What is tried with cases of another organization, and with what belongs to them. */
export const caseAttempts: Readonly<Record<string, Attempt>> = {
  "intake.createCase": [
    [422],
    (attacker, { clinic }) => createCase(attacker, caseBody(attacker, { products: [{ id: clinic.productId }] }))
  ],
  "dynamicCases.createDynamicCase": [
    [400],
    ({ key }, { formId, questionId }) =>
      call("POST", "/api/v1/dynamic-case", {
        key,
        body: {
          firstName: "X",
          lastName: "Y",
          email: "x@example.com",
          formId,
          questions: [{ questionId, answer: "185" }]
        }
      })
  ],
  "dynamicCases.submitCaseForm": [
    [400],
    ({ key }, { caseId }) =>
      call("POST", "/api/v1/customer-dynamic-case-form", {
        key,
        body: { caseId, formTitle: "Follow-up", questions: [{ ...weight, questionId: "q1" }] }
      })
  ],
  "escalations.add": [
    [401],
    ({ key }, { caseId }) =>
      call("POST", `/api/v1/cases/${caseId}`, {
        key,
        body: { action: "ADD_ESCALATION", escalations: [{ type: "external", title: "Miscellaneous" }] }
      })
  ],
  "orders.placeOrder": [[403], ({ key }, { caseId }) => placeOrder({ key }, caseId)],
  "reading.caseDetail": [
    [403],
    ({ key }, { caseId }) =>
      call(
        "GET",
        `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true&includeOrders=true&includeCalendarEvents=true`,
        { key }
      )
  ],
  "reading.latestCaseId": [
    [400],
    ({ key }, { user }) => call("GET", `/api/v1/customer-latest-case-id?email=${user.email}`, { key })
  ],
  "statusChanges.change": [
    [401],
    ({ key }, { caseId }) => ofCase(key, caseId, "CHANGE_CASE_STATUS", { status: "CLOSE" })
  ],
  "calendarActions.create": [[401], (attacker, { caseId }) => createEvent(attacker, caseId)],
  "calendarActions.cancel": [[401], (attacker, { caseId, eventId }) => cancelEvent(attacker, caseId, eventId)],
  // The attacker's own organization has no such patient, and no such appointment.
  "bookings.book": [
    [400],
    (attacker, { user }) => book(attacker, bookingBody(user.email, new Date(Date.now() + 86_400_000).toISOString()))
  ],
  "bookings.cancel": [
    [400],
    (attacker, { eventId, user }) => cancel(attacker, { email: user.email, appointmentId: eventId })
  ],
  "availability.slots": [[200], (attacker) => askSlots(attacker, 1, 2)],
  // The attacker's own organization has nobody with this email.
  "appointmentList.list": [[400], (attacker, { user }) => listAppointments(attacker, { user_email: user.email })],
  "caseProducts.update": [
    [403],
    ({ key }, { caseId, clinic: { productId } }) =>
      ofCase(key, caseId, "UPDATE_CASE_PRODUCT", { caseProductInput: { productId, status: "CLOSE" } })
  ],
  "documentLinks.download": [
    [403],
    ({ organizationId }, { documentUrl }) => {
      const { pathname, searchParams } = new URL(documentUrl)
      searchParams.set("organizationId", organizationId)
      return call("GET", `${pathname}?${searchParams}`)
    }
  ]
}

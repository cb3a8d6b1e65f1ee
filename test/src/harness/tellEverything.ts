import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { book, bookingBody, cancel, listed as listedAppointments, openSlot } from "./appointments.ts"
import { calendarEvent, createEvent, listAppointments } from "./calendar.ts"
import { admin, call } from "./call.ts"
import { jobsDone } from "./database.ts"
import { type Clinic, caseBody, createCase, type newPatient } from "./fixtures.ts"
import { confirmedSetup } from "./paymentSetup.ts"
import { orderBody, placeOrder } from "./placeOrder.ts"
import { newPayment } from "./references.ts"
import { until } from "./until.ts"

/** Whom something is told about. */
type Person = Pick<ReturnType<typeof newPatient>, "firstName" | "lastName" | "email" | "phoneNumber">

/**
 * Writes a text wherever somebody writes something about a patient's health, and as part of a password: the patient's case.
 * What a partner reads of it has the text more than once.
 */
export const tellEverything = Effect.fnUntraced(function* (clinic: Clinic, secret: string, patient: Person) {
  const { email, firstName, lastName, phoneNumber } = patient
  const contents = Buffer.from(`%PDF-1.7 ${secret}`).toString("base64")
  const created = yield* call("POST", "/api/v1/dynamic-case", {
    key: clinic.key,
    headers: { "idempotency-key": "everything" },
    body: {
      firstName,
      lastName,
      email,
      phoneNumber,
      password: `Aa1!${secret}`,
      formTitle: "Intake",
      questions: [
        { question: "How much do you weigh?", type: "TEXT", required: true, phi: false, answer: secret },
        { question: "Your report", type: "FILE", required: true, answer: [{ name: `${secret}.pdf`, data: contents }] }
      ]
    }
  })
  assert.strictEqual(created.status, 200)
  const caseId: string = created.json.data.caseId
  const withPayment = caseBody(clinic, { payment: { ...(yield* newPayment), description: secret } })
  assert.strictEqual((yield* createCase(clinic, withPayment)).status, 200)
  const paid = yield* call("POST", `/api/v1/cases/${caseId}/payments`, {
    key: clinic.key,
    headers: { "idempotency-key": "everything-payment" },
    body: { amount: 10, description: secret }
  })
  assert.strictEqual(paid.json.data.result.description, secret)
  const profile = { allergies: secret, currentMedications: secret, healthConditions: secret }
  const updated = yield* call("POST", "/api/v1/users", {
    key: clinic.key,
    headers: { "idempotency-key": "everything-profile" },
    body: { action: "UPDATE_PROFILE", data: { email, ...profile } }
  })
  assert.deepInclude(updated.json.data.user, profile)

  const member = {
    firstName: "Jane",
    lastName: "Rivera",
    role: "PROVIDER",
    npi: "1234567893",
    title: "Dr.",
    titleSuffix: "MD"
  }
  const provider: string = (yield* admin("POST", `/organizations/${clinic.organizationId}/members`, {
    ...member,
    email: `p.${clinic.organizationId}@example.com`
  })).json.id
  const file = { fileName: `${secret}.pdf`, content: contents }
  const patientId: string = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
  const writes = [
    ["comments", { authorUserId: provider, text: secret, isRestricted: true, attachments: [file] }],
    ["attachments", { uploadedByUserId: patientId, ...file }]
  ] as const
  for (const [kind, body] of writes) {
    assert.strictEqual((yield* admin("POST", `/cases/${caseId}/${kind}`, body)).status, 201, kind)
  }
  const escalated = yield* call("POST", `/api/v1/cases/${caseId}`, {
    key: clinic.key,
    headers: { "idempotency-key": "everything-escalation" },
    body: { action: "ADD_ESCALATION", escalations: [{ type: "clinical", title: "Lab Review", note: secret }] }
  })
  assert.strictEqual(escalated.json.data.escalations[0].note, secret)
  yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
  const decided = yield* admin("POST", `/cases/${caseId}/decisions`, {
    addedByUserId: provider,
    isApproved: true,
    isNoDecision: false,
    decisionText: secret,
    category: secret,
    visitType: "SYNC_VIDEO",
    startDate: "2026-01-01T00:00:00.000Z",
    endDate: "2026-04-01T00:00:00.000Z",
    medInfo: [{ medicine: secret }]
  })
  assert.strictEqual(decided.status, 201)
  const closed = yield* createCase(clinic, caseBody(clinic))
  const closedId: string = closed.json.data.caseId
  for (const body of [
    {
      action: "UPDATE_CASE_PRODUCT",
      caseProductInput: { productId: clinic.productId, status: "CLOSE", reason: secret }
    },
    { action: "CHANGE_CASE_STATUS", status: "CLOSE", reason: secret }
  ]) {
    const headers = { "idempotency-key": `everything-${body.action}` }
    const changed = yield* call("POST", `/api/v1/cases/${closedId}`, { key: clinic.key, headers, body })
    assert.strictEqual(changed.status, 200, body.action)
  }
  const { archiveNote, products } = (yield* admin("GET", `/cases/${closedId}`)).json
  assert.deepStrictEqual([archiveNote, products[0].closeReason], [secret, secret])
  const [item] = orderBody().prescriptionItems
  const order = orderBody({
    shippingAddress: { ...orderBody().shippingAddress, addressLine2: secret },
    patientHealthInfo: { allergies: secret, healthConditions: secret, currentMedications: secret },
    diagnosis: secret,
    prescriptionItems: [{ ...item, drugId: secret, direction: secret, customFields: { note: secret } }]
  })
  const placed = yield* placeOrder(clinic, caseId, order, {}, { "idempotency-key": "everything-order" })
  assert.strictEqual(placed.status, 200)
  yield* jobsDone("cases", "order-hand-over")
  const changed = yield* admin("PATCH", `/orders/${placed.json.data.order.id}`, {
    message: secret,
    replacementReason: secret,
    shippingLog: { message: secret }
  })
  assert.isAbove(JSON.stringify(changed.json).split(secret).length, 4)
  const { id: gatewaySetupID, paymentMethodId } = yield* confirmedSetup(clinic, email)
  const place = { city: "San Francisco", state: "CA", country: "US" }
  const address = { ...place, line1: "500 Howard Street", line2: secret, postal_code: "94105" }
  const told: ReadonlyArray<readonly [string, object]> = [
    ["complete-payment-setup", { gatewaySetupID, shippingAddress: address }],
    [
      "users",
      {
        action: "UPDATE_PAYMENT_INFO",
        email,
        data: {
          gatewaySetupId: gatewaySetupID,
          gatewayPaymentToken: paymentMethodId,
          shippingAddress: { ...place, addressLine1: secret, addressLine2: secret, postalCode: "94105" }
        }
      }
    ],
    [
      "customer-payment-confirmation",
      { caseId, amount: 10, paymentDate: "2026-03-01", status: "PAID", validUntil: "2026-04-01", description: secret }
    ]
  ]
  for (const [path, body] of told) {
    const headers = { "idempotency-key": `everything-${path}` }
    assert.strictEqual((yield* call("POST", `/api/v1/${path}`, { key: clinic.key, headers, body })).status, 200, path)
  }
  const event = calendarEvent({
    title: secret,
    description: secret,
    meetingLink: `https://meet.example.com/${secret}`,
    provider: { email: `${secret}@example.com`, name: secret }
  })
  yield* createEvent(clinic, caseId, event, { "idempotency-key": "everything-event" })
  const listed = JSON.stringify((yield* listAppointments(clinic, { user_email: email })).json)
  assert.isAtLeast(listed.split(secret).length, 6)
  const appointment = bookingBody(email, yield* openSlot(clinic), { tracking: { utmCampaign: secret } })
  assert.strictEqual((yield* book(clinic, appointment, "everything")).status, 200)
  const booked = (yield* listedAppointments(clinic, email)).find(
    ({ start }: { readonly start: string }) => start === appointment.startTime
  )
  const cancelled = yield* cancel(clinic, { email, appointmentId: booked.id, reason: secret }, "everything-cancel")
  assert.strictEqual(cancelled.status, 200)
  yield* jobsDone("scheduling", "calendar-replication")
  yield* jobsDone("cases", "assignment")
  yield* jobsDone("cases", "payment-recording")

  const path = `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true&documentFormat=url`
  const detail = JSON.stringify((yield* call("GET", path, { key: clinic.key })).json)
  assert.isAbove(detail.split(secret).length, 5)
  return caseId
})

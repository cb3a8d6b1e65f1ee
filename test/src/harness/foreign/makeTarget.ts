import { Effect } from "effect"
import { calendarEvent, createEvent, eventsOf } from "../calendar.ts"
import { admin, call } from "../call.ts"
import { jobsDone } from "../database.ts"
import { addEndpoint, endpoints } from "../endpoints.ts"
import { caseBody, createCase, makeClinic, newPatient } from "../fixtures.ts"
import { confirmedSetup } from "../paymentSetup.ts"
import { orderBody, placeOrder } from "../placeOrder.ts"
import { signIn } from "../signIn.ts"
import { until } from "../until.ts"
import type { Target } from "./Target.ts"

/** It is in every text that the organization and its patient have told. */
export const canary = "kanarienvogel"

export const pdf = Buffer.from("%PDF-1.7 a file").toString("base64")

/** An action on a user. */
export const act = (key: string, action: string, data: unknown) =>
  call("POST", "/api/v1/users", { key, body: { action, data } })

/** A provider, but for the email. */
export const member = { firstName: "Jane", lastName: canary, role: "PROVIDER", npi: "1234567893", title: canary }

/** An organization of which there is something of everything. */
export const makeTarget = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const { organizationId } = clinic
  const own = (kind: string, body: unknown) =>
    Effect.map(admin("POST", `/organizations/${organizationId}/${kind}`, body), ({ json }) => json)
  const form = yield* own("forms", {
    title: `Form ${canary}`,
    description: canary,
    questions: [{ question: `How much do you weigh, ${canary}?`, type: "TEXT", required: true }]
  })
  const { id: bundleId } = yield* own("bundles", {
    name: canary,
    description: canary,
    imageUrl: `https://example.com/${canary}.png`,
    price: "10.00",
    priceUnit: "USD",
    initialDiscount: "0.00",
    isSoldOut: false,
    isVisible: true,
    productIds: [clinic.productId],
    intakeFormId: form.id
  })
  const promoCode = `${canary}-${organizationId}`
  yield* admin("POST", "/promo-codes", { code: promoCode, organizationId, percentDiscount: 10, bundleIds: [bundleId] })
  const user = { ...newPatient(), firstName: canary, lastName: canary }
  const [product] = caseBody(clinic).products
  const questions = [{ question: `Allergies, ${canary}?`, answer: canary, type: "TEXT", phi: true }]
  const created = yield* createCase(
    clinic,
    caseBody(clinic, { user, products: [{ ...product, form: { title: canary, questions } }] })
  )
  const caseId: string = created.json.data.caseId
  yield* act(clinic.key, "UPDATE_PROFILE", { email: user.email, allergies: canary, city: canary })
  const { id: providerId } = yield* own("members", { ...member, email: `p.${organizationId}@example.com` })
  yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
  const patientId: string = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
  const file = { fileName: `${canary}.pdf`, content: pdf }
  yield* admin("POST", `/cases/${caseId}/comments`, {
    authorUserId: patientId,
    text: canary,
    isRestricted: false,
    attachments: [file]
  })
  yield* admin("POST", `/cases/${caseId}/attachments`, { uploadedByUserId: patientId, ...file })
  yield* placeOrder(clinic, caseId, orderBody({ diagnosis: canary }))
  yield* jobsDone("cases", "order-hand-over")
  const path = `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true&documentFormat=url`
  const read = yield* call("GET", path, { key: clinic.key })
  yield* call("POST", `/api/v1/cases/${caseId}`, {
    key: clinic.key,
    body: { action: "ADD_ESCALATION", escalations: [{ type: "support", title: "Cancellation", note: canary }] }
  })
  yield* createEvent(clinic, caseId, calendarEvent({ title: canary }))
  const [{ id: eventId }] = yield* eventsOf(clinic, caseId)
  // Nobody answers there.
  const { id: endpointId } = yield* addEndpoint(clinic, {
    url: `http://127.0.0.1:9/${canary}`,
    eventTypes: ["case.closed"]
  })
  const { json: told } = yield* until(
    call("GET", `/api/v1/events?caseId=${caseId}`, { key: clinic.key }),
    ({ json }) => json.data.length > 0
  )
  const toldEventId: string = told.data[0].id
  const resent = yield* call("POST", `/api/v1/events/${toldEventId}/resend`, { key: clinic.key, body: { endpointId } })
  // It is attempted once, and nothing moves any more.
  yield* until(endpoints("GET", clinic, `/${endpointId}/deliveries`), ({ json }) => json.data[0]?.attempts.length === 1)
  yield* endpoints("PATCH", clinic, `/${endpointId}`, { body: { enabled: false } })
  const session = yield* signIn(clinic.key, user.email)
  const target: Target = {
    clinic,
    user,
    caseId,
    patientId,
    providerId,
    formId: form.id,
    questionId: form.questions[0].id,
    bundleId,
    promoCode,
    endpointId,
    deliveryId: resent.json.data[0].id,
    toldEventId,
    eventId,
    documentUrl: read.json.caseDetail.attachments[0].url,
    setupId: (yield* confirmedSetup(clinic, user.email)).id,
    accessToken: session.accessToken,
    refreshToken: session.refreshToken
  }
  return target
})

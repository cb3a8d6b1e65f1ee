import { Effect } from "effect"
import { admin, call } from "../call.ts"
import { callAs, signedIn } from "../callAs.ts"
import { submitCaseForm } from "../dynamicCases.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic, newPatient } from "../fixtures.ts"
import { fixturesOf, patientsNamed } from "../fixturesOf.ts"
import { changeUser } from "../users.ts"

const content = Buffer.from("hello").toString("base64")
const word = "W".repeat(60)

/** A name that is HTML and a long word. Names have no control characters. */
export const hostileName = `<img src=x onerror=alert(1)>${word}`

/** A text that is HTML and a long word, and turns what follows it around. */
export const hostileText = `<script>alert(2)</script><b>${word}${word}</b> \u202eevil`

const questions = [
  { question: hostileText, answer: hostileText, type: "TEXT", required: true, hint: hostileText },
  { question: "Which?", answer: hostileText, type: "SINGLESELECT", required: true, options: [hostileText, "No"] }
]

const fileQuestion = { question: hostileText, type: "FILE", required: false }

/** Makes an organization that puts hostile texts wherever it may, in a case that has everything. */
export const makeHostileClinic = Effect.gen(function* () {
  const { organizationId, ...made } = yield* makeClinic
  const write = (method: string, path: string, body: object) =>
    admin(method, `/organizations/${organizationId}${path}`, body)
  yield* write("PATCH", "", { name: hostileName, supportMayReadAnswers: true })
  const product = yield* write("POST", "/products", { name: hostileText })
  const clinic: Clinic = { ...made, organizationId, productId: product.json.id }
  const image = "https://example.com/%3Cscript%3E.png"
  const price = { price: "99.00", priceUnit: "USD", initialDiscount: "0.00", isSoldOut: false, isVisible: true }
  const bundle = { name: hostileText, description: hostileText, imageUrl: image, productIds: [clinic.productId] }
  yield* write("POST", "/bundles", { ...bundle, ...price })
  yield* write("POST", "/forms", {
    title: hostileText,
    questions: questions.map(({ answer: _, ...question }) => question)
  })
  yield* write("POST", "/api-keys", { label: hostileName })
  const person = { firstName: hostileName, lastName: word }
  const providerId = yield* addStaff(clinic, { ...person, npi: "1234567893" })
  const promoCode = yield* admin("POST", "/promo-codes", { organizationId, code: `<b>${word}</b>`, flatDiscount: 5 })

  const user = { ...newPatient(), ...person }
  const answered = questions.map(({ answer, question }) => ({ question, answer, type: "TEXT" }))
  const form = { title: hostileText, description: hostileText, questions: answered }
  const created = yield* call("POST", "/api/v1/cases", {
    key: clinic.key,
    body: {
      isTest: true,
      user: { ...user, shippingAddress: { ...user.shippingAddress, addressLine1: hostileText, city: hostileName } },
      products: [{ id: clinic.productId, visitType: "SYNC_VIDEO", form }]
    }
  })
  const caseId: string = created.json.data.caseId
  const file = { name: `${hostileText}.txt`, data: content, contentType: "text/plain" }
  const submitted = yield* submitCaseForm(clinic, {
    caseId,
    formTitle: hostileText,
    questions: [...questions, { ...fileQuestion, answer: [file] }].map((each, index) => ({
      ...each,
      questionId: `${index}`
    }))
  })
  const health = { allergies: hostileText, currentMedications: hostileText, healthConditions: hostileText }
  const profile = yield* changeUser(clinic.key, "UPDATE_PROFILE", { email: user.email, ...health })
  yield* admin("POST", `/cases/${caseId}/assign`, { providerId })
  // One that waits.
  const waiting = yield* createCase(clinic, caseBody(clinic, { isTest: true, user: { ...newPatient(), ...person } }))
  const provider = signedIn(providerId, organizationId, "PROVIDER")
  const comment = yield* callAs(provider, "cases", "POST", `/admin/v1/cases/${caseId}/comments`, {
    text: hostileText,
    isRestricted: false,
    attachments: [{ fileName: `${hostileText}.txt`, contentType: "text/plain", content }]
  })

  const fixtures = yield* fixturesOf(
    clinic,
    patientsNamed(hostileText, () => person),
    {
      newCase: async () => ({ caseId, shortId: "", userId: "", email: user.email, phoneNumber: user.phoneNumber }),
      case: async () => ({ caseId, shortId: "", userId: "", email: user.email, phoneNumber: user.phoneNumber })
    }
  )
  const url = `${fixtures.fileUrl}?${word}&q=%3Cb%3E`
  const endpoint = yield* call("POST", "/api/v1/webhook-endpoints", {
    key: clinic.key,
    body: { url, eventTypes: ["ping"] }
  })
  const things = yield* Effect.promise(async () => {
    await fixtures.escalationId()
    const orderId = await fixtures.orderId()
    const { deliveryId } = await fixtures.delivery()
    return { orderId, ofDelivery: await fixtures.endpointId(), deliveryId, paymentId: await fixtures.heldPaymentId() }
  })
  const ordered = yield* admin("PATCH", `/orders/${things.orderId}`, {
    status: "ERROR",
    message: hostileText,
    carrierName: hostileName
  })
  return {
    clinic,
    caseId,
    user,
    endpointId: String(endpoint.json.data.id),
    answers: [product, promoCode, created, waiting, endpoint, submitted, profile, comment, ordered],
    ...things
  }
})

import { randomUUID } from "node:crypto"
import { endpoints } from "@care/domain/endpoints"
import type { CallerKind } from "@care/domain/http"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { askSlots, book, bookingBody, cancel } from "./harness/appointments.ts"
import { calendarEvent, cancelEvent, createEvent, eventsOf, listAppointments } from "./harness/calendar.ts"
import { type Answer, admin, CallHeaders, call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { addEndpoint, endpoints as webhooks } from "./harness/endpoints.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { confirmedSetup } from "./harness/paymentSetup.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { refresh, sendCode, signIn, signOut, verifyCode } from "./harness/signIn.ts"
import { until } from "./harness/until.ts"

// In every text that the organization and its patient have told.
const canary = "kanarienvogel"

/** Everything of one organization that another may try. */
interface Target {
  readonly clinic: Clinic
  readonly user: ReturnType<typeof newPatient>
  readonly caseId: string
  readonly patientId: string
  readonly providerId: string
  readonly formId: string
  readonly questionId: string
  readonly bundleId: string
  readonly promoCode: string
  readonly endpointId: string
  /** A delivery to the endpoint, which is disabled, and the event that it is of. */
  readonly deliveryId: string
  readonly toldEventId: string
  readonly documentUrl: string
  /** A setup intent that the patient has confirmed. */
  readonly setupId: string
  readonly eventId: string
  readonly accessToken: string
  readonly refreshToken: string
}

const identifiersOf = (...kinds: ReadonlyArray<CallerKind>): ReadonlyArray<string> => {
  return endpoints
    .filter(({ caller }) => caller !== undefined && kinds.includes(caller))
    .map(({ endpoint, group }) => `${group.identifier}.${endpoint.identifier}`)
    .sort()
}

const longAgo = "2026-01-01T00:00:00.000Z"

type Try = (attacker: Clinic, target: Target) => ReturnType<typeof call>

const act = (key: string, action: string, data: unknown) =>
  call("POST", "/api/v1/users", { key, body: { action, data } })

const ofCase = (key: string, caseId: string, action: string, body: object) =>
  call("POST", `/api/v1/cases/${caseId}`, { key, body: { action, ...body } })

const weight = { question: "How much do you weigh?", type: "TEXT", required: true, answer: "185" }

const pdf = Buffer.from("%PDF-1.7 a file").toString("base64")

const shippingAddress = { line1: "1 Main Street", city: "Oakland", state: "CA", country: "US", postal_code: "94607" }

// Each partner operation as another organization would try it. The status says how it is refused, or that what it answers
// is its own.
const attempts: Readonly<Record<string, readonly [ReadonlyArray<number>, Try]>> = {
  "signIn.sendCode": [[200], ({ key }, { user }) => sendCode(key, { email: user.email })],
  "signIn.verifyCode": [[401], ({ key }, { user }) => verifyCode(key, { email: user.email, code: "123456" })],
  "signIn.refresh": [[401], ({ key }, { refreshToken }) => refresh(key, refreshToken)],
  "signIn.signOut": [[200], ({ key }, { refreshToken }) => signOut(key, refreshToken)],
  "users.checkUser": [[200], ({ key }, { user }) => call("GET", `/api/v1/check-user?email=${user.email}`, { key })],
  "auditRecords.list": [
    [200],
    ({ key }, { caseId, patientId }) =>
      call("GET", `/api/v1/audit-records?caseId=${caseId}&userId=${patientId}`, { key })
  ],
  "users.me": [
    [401],
    ({ key }, { accessToken }) =>
      call("GET", "/api/v1/users/me", { key, headers: { authorization: `Bearer ${accessToken}` } })
  ],
  "users.updateProfile": [
    [400],
    ({ key }, { user }) => act(key, "UPDATE_PROFILE", { email: user.email, city: "Elsewhere" })
  ],
  "users.updateEmail": [
    [400],
    ({ key }, { user }) => act(key, "UPDATE_EMAIL", { currentEmail: user.email, newEmail: "stolen@example.com" })
  ],
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
  "intents.createPaymentIntent": [
    [200],
    ({ key }, { user: { email } }) =>
      call("POST", "/api/v1/payments/intent", { key, body: { amount: 10, metadata: { email } } })
  ],
  "intents.createSetupIntent": [
    [200],
    ({ key }, { user: { email } }) => call("POST", "/api/v1/payments/setup", { key, body: { email } })
  ],
  "paymentSetup.completeSetup": [
    [401],
    ({ key }, { setupId }) =>
      call("POST", "/api/v1/complete-payment-setup", { key, body: { gatewaySetupID: setupId, shippingAddress } })
  ],
  "paymentInfo.updatePaymentInfo": [
    [400],
    ({ key }, { setupId, user: { email } }) =>
      call("POST", "/api/v1/users", {
        key,
        body: {
          action: "UPDATE_PAYMENT_INFO",
          email,
          data: {
            gatewaySetupId: setupId,
            gatewayPaymentToken: "pm_card_visa",
            shippingAddress: {
              addressLine1: "1 Main Street",
              addressLine2: "",
              city: "Oakland",
              state: "CA",
              country: "US",
              postalCode: "94607"
            }
          }
        }
      })
  ],
  "newPayments.create": [
    [401],
    ({ key }, { caseId }) =>
      call("POST", `/api/v1/cases/${caseId}/payments`, {
        key,
        body: { amount: 10, description: "Second month", preauthorize: true }
      })
  ],
  "paymentConfirmations.confirmPayment": [
    [401],
    ({ key }, { caseId }) =>
      call("POST", "/api/v1/customer-payment-confirmation", {
        key,
        body: { caseId, amount: 10, paymentDate: "2026-03-01", status: "PAID", validUntil: "2026-04-01" }
      })
  ],
  "webhookEndpoints.create": [
    [201],
    ({ key }, { clinic }) =>
      call("POST", "/api/v1/webhook-endpoints", { key, body: { url: `https://${clinic.organizationId}.example.com` } })
  ],
  "webhookEndpoints.list": [[200], (attacker) => webhooks("GET", attacker)],
  "webhookEndpoints.get": [[404], (attacker, { endpointId }) => webhooks("GET", attacker, `/${endpointId}`)],
  "webhookEndpoints.change": [
    [404],
    (attacker, { endpointId }) => webhooks("PATCH", attacker, `/${endpointId}`, { body: { enabled: false } })
  ],
  "webhookEndpoints.remove": [[404], (attacker, { endpointId }) => webhooks("DELETE", attacker, `/${endpointId}`)],
  "webhookEndpoints.rotateSecret": [
    [404],
    (attacker, { endpointId }) => webhooks("POST", attacker, `/${endpointId}/rotate-secret`)
  ],
  "webhookEndpoints.test": [[404], (attacker, { endpointId }) => webhooks("POST", attacker, `/${endpointId}/test`)],
  "webhookDeliveries.list": [
    [404],
    (attacker, { endpointId }) => webhooks("GET", attacker, `/${endpointId}/deliveries`)
  ],
  "webhookDeliveries.replay": [
    [404],
    ({ key }, { deliveryId }) => call("POST", `/api/v1/webhook-deliveries/${deliveryId}/replay`, { key })
  ],
  "webhookDeliveries.replayRange": [
    [404],
    (attacker, { endpointId }) => webhooks("POST", attacker, `/${endpointId}/replay`, { body: { since: longAgo } })
  ],
  "webhookDeliveries.replayMissing": [
    [404],
    (attacker, { endpointId }) =>
      webhooks("POST", attacker, `/${endpointId}/replay-missing`, { body: { since: longAgo } })
  ],
  "webhookDeliveries.resend": [
    [404],
    ({ key }, { endpointId, toldEventId }) =>
      call("POST", `/api/v1/events/${toldEventId}/resend`, { key, body: { endpointId } })
  ],
  "events.list": [[200], ({ key }, { caseId }) => call("GET", `/api/v1/events?caseId=${caseId}`, { key })],
  "bundles.list": [[200], ({ key }) => call("GET", "/api/v1/organization/bundles", { key })],
  "bundles.get": [
    [400],
    ({ key }, { bundleId }) =>
      call("GET", `/api/v1/organization/bundles/${bundleId}?includeIntakeForm=true&includeFollowupForm=true`, { key })
  ],
  "promoCodes.check": [
    [404],
    ({ key }, { bundleId, promoCode }) =>
      call("GET", `/api/v1/promo-codes?code=${promoCode}&product_bundle_id=${bundleId}`, { key })
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

const invalid = { success: false, message: "Invalid request" }
const noCase = { error: "No Case found for provided details!" }
const denied = { error: "Permission denied" }

/** What another organization's is answered, and what nobody's, where the specification tells the two apart. */
const toldApart: Readonly<Record<string, readonly [foreign: object, nobodys: object]>> = {
  "signIn.refresh": [
    { status: 401, error: "Refresh token does not belong to this organization", code: "REFRESH_INVALID" },
    { status: 401, error: "Refresh token not recognized", code: "REFRESH_INVALID" }
  ],
  "users.checkUser": [{ message: "Email already exists" }, { message: "User does not exist" }],
  "users.updateProfile": [
    { message: "User <email> does not exist in the organization" },
    { message: "User <email> does not exist" }
  ],
  "users.updateEmail": [
    { message: "User <email> does not exist in the organization" },
    { message: "User <email> does not exist" }
  ],
  "escalations.add": [
    { status: 401, ...invalid, error: "Permission denied!" },
    { status: 400, ...invalid, error: "Case not found!" }
  ],
  "orders.placeOrder": [
    { status: 403, ...invalid, ...denied },
    { status: 400, ...invalid, ...noCase }
  ],
  "reading.caseDetail": [
    { status: 403, ...invalid, error: "Permission denied!" },
    { status: 404, ...invalid, ...noCase }
  ],
  "statusChanges.change": [
    { status: 401, ...invalid, message: "Permission denied", ...denied },
    { status: 400, ...invalid, ...noCase }
  ],
  "calendarActions.create": [
    { status: 401, ...invalid, ...denied },
    { status: 404, ...invalid, ...noCase }
  ],
  "calendarActions.cancel": [
    { status: 401, ...invalid, ...denied },
    { status: 404, ...invalid, ...noCase }
  ],
  "caseProducts.update": [
    { status: 403, ...invalid, message: "Forbidden", ...denied },
    { status: 400, ...invalid, ...noCase, code: "VALIDATION_ERROR" }
  ],
  "paymentSetup.completeSetup": [
    { status: 401, ...denied },
    { status: 400, error: "No setup intent exists for the id <id>" }
  ],
  "newPayments.create": [{ status: 401, ...denied }, { message: "No Case found for provided details!" }],
  "paymentConfirmations.confirmPayment": [
    { status: 401, ...denied },
    { status: 400, ...noCase }
  ]
}

const member = { firstName: "Jane", lastName: canary, role: "PROVIDER", npi: "1234567893", title: canary }

const makeTarget = Effect.gen(function* () {
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
  const { id: endpointId } = yield* addEndpoint(clinic, {
    url: `https://shop.example.com/${canary}`,
    enabled: false,
    eventTypes: ["case.closed"]
  })
  const { json: told } = yield* until(
    call("GET", `/api/v1/events?caseId=${caseId}`, { key: clinic.key }),
    ({ json }) => json.data.length > 0
  )
  const toldEventId: string = told.data[0].id
  const resent = yield* call("POST", `/api/v1/events/${toldEventId}/resend`, { key: clinic.key, body: { endpointId } })
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

/** The same of nobody: ids, addresses and tokens that were never given out. */
const unknownOf = ({ clinic, documentUrl, ...target }: Target): Target => ({
  ...target,
  clinic: { ...clinic, productId: randomUUID() },
  user: newPatient(),
  caseId: randomUUID(),
  patientId: randomUUID(),
  providerId: randomUUID(),
  formId: randomUUID(),
  questionId: randomUUID(),
  bundleId: randomUUID(),
  promoCode: `unknown-${randomUUID()}`,
  documentUrl: documentUrl.replace(/documents\/[^?]+/, `documents/${randomUUID()}`),
  endpointId: randomUUID(),
  toldEventId: randomUUID(),
  deliveryId: randomUUID(),
  setupId: "seti_unknown",
  eventId: randomUUID(),
  accessToken: "unknown",
  refreshToken: "unknown"
})

const told = ({ headers, json }: Answer) => JSON.stringify([[...headers], json])

layer(Suite.shared, { timeout: "60 seconds", excludeTestServices: true })("another organization's ids", (it) => {
  // What the target's own back office sees, and its rows in auth.
  const everythingOf = ({ caseId, clinic }: Target) =>
    Effect.all([
      Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) =>
        JSON.stringify(json).replace(/expires=\d+&signature=[\w-]+/g, "")
      ),
      inDatabase((sql) => sql`SELECT * FROM auth.users WHERE organization_id = ${clinic.organizationId} ORDER BY id`),
      inDatabase((sql) => sql`SELECT id, status FROM payments.payments WHERE case_id = ${caseId} ORDER BY id`),
      inDatabase((sql) => sql`SELECT * FROM payments.saved_methods WHERE organization_id = ${clinic.organizationId}`),
      inDatabase((sql) => sql`SELECT * FROM cases.webhook_endpoints WHERE organization_id = ${clinic.organizationId}`),
      inDatabase((sql) => sql`SELECT * FROM cases.webhook_deliveries WHERE organization_id = ${clinic.organizationId}`)
    ])

  it.effect("every partner operation of the contracts is tried", () =>
    Effect.sync(() => assert.deepStrictEqual(Object.keys(attempts).sort(), identifiersOf("partner", "link")))
  )

  it.effect("no partner operation answers anything of another organization, or changes it", () =>
    Effect.gen(function* () {
      const attacker = yield* makeClinic
      const target = yield* makeTarget
      // The same operations as the organization itself: what was looked for is there to be found.
      const own: Readonly<Record<string, Effect.Effect<Answer, never, Suite>>> = {
        me: call("GET", "/api/v1/users/me", {
          key: target.clinic.key,
          headers: { authorization: `Bearer ${target.accessToken}` }
        }),
        detail: call("GET", `/api/v1/customer-case-detail?caseId=${target.caseId}`, { key: target.clinic.key }),
        appointments: listAppointments(target.clinic, { user_email: target.user.email }),
        bundles: call("GET", "/api/v1/organization/bundles", { key: target.clinic.key }),
        profile: act(target.clinic.key, "UPDATE_PROFILE", { email: target.user.email })
      }
      for (const [operation, attempt] of Object.entries(own)) {
        const answer = yield* attempt
        assert.include(told(answer), canary, operation)
        if (operation !== "bundles") assert.include(told(answer), target.patientId, operation)
      }

      const before = yield* everythingOf(target)
      for (const [operation, [statuses, attempt]] of Object.entries(attempts)) {
        const answer = yield* attempt(attacker, target)
        assert.include(statuses, answer.status, operation)
        assert.notInclude(told(answer), canary, operation)
        assert.notInclude(told(answer), target.patientId, operation)
      }
      assert.deepStrictEqual(yield* everythingOf(target), before)

      assert.strictEqual((yield* refresh(target.clinic.key, target.refreshToken)).status, 200)
    })
  )

  it.effect(
    "what is another organization's is answered as what does not exist, unless the specification tells them apart",
    () =>
      Effect.gen(function* () {
        const attacker = yield* makeClinic
        const target = yield* makeTarget
        const unknown = unknownOf(target)
        const shape = ({ json, status }: Answer, { user }: Target): { readonly status: number } => ({
          status,
          ...JSON.parse(
            JSON.stringify(json)
              .replaceAll(user.email, "<email>")
              .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
              .replace(/\b(pi|seti|whsec)_[\w+/=]+/g, "<id>")
              .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
          )
        })
        for (const [operation, [, attempt]] of Object.entries(attempts)) {
          const foreign = shape(yield* attempt(attacker, target), target)
          const nobodys = shape(yield* attempt(attacker, unknown), unknown)
          const [ofForeign, ofNobodys] = toldApart[operation] ?? []
          if (ofForeign === undefined || ofNobodys === undefined) {
            assert.deepStrictEqual(foreign, nobodys, operation)
          } else {
            assert.deepInclude(foreign, ofForeign, operation)
            assert.deepInclude(nobodys, ofNobodys, operation)
            assert.notDeepEqual(foreign, nobodys, operation)
          }
        }
      })
  )

  it.effect("a patient's token of another organization opens nothing, and changes no answer", () =>
    Effect.gen(function* () {
      const attacker = yield* makeClinic
      const target = yield* makeTarget
      const headers = { authorization: `Bearer ${target.accessToken}` }
      const me = yield* call("GET", "/api/v1/users/me", { key: target.clinic.key, headers })
      assert.include(told(me), target.patientId)
      const before = yield* everythingOf(target)
      for (const [operation, [statuses, attempt]] of Object.entries(attempts)) {
        const answer = yield* Effect.provideService(attempt(attacker, target), CallHeaders, headers)
        assert.include(statuses, answer.status, operation)
        assert.notInclude(told(answer), canary, operation)
        assert.notInclude(told(answer), target.patientId, operation)
      }
      assert.deepStrictEqual(yield* everythingOf(target), before)
    })
  )

  it.effect("the operator cannot join what belongs to two organizations", () =>
    Effect.gen(function* () {
      const other = yield* makeClinic
      const target = yield* makeTarget
      const caseId: string = (yield* createCase(other, caseBody(other))).json.data.caseId
      const at = `/organizations/${other.organizationId}`
      const bundle = {
        name: "B",
        description: "",
        imageUrl: "",
        price: "1.00",
        priceUnit: "USD",
        initialDiscount: "0.00",
        isSoldOut: false,
        isVisible: true
      }
      const decision = {
        isApproved: true,
        isNoDecision: false,
        decisionText: "",
        visitType: "ASYNC_TEXT_EMAIL",
        startDate: "2026-01-01T00:00:00Z",
        endDate: "2026-02-01T00:00:00Z",
        medInfo: []
      }
      const own: string = (yield* admin("POST", `${at}/members`, { ...member, email: "own@other.example.com" })).json.id
      yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
      const refused = [
        admin("POST", `${at}/bundles`, { ...bundle, productIds: [target.clinic.productId] }),
        admin("POST", `${at}/bundles`, { ...bundle, intakeFormId: target.formId }),
        admin("POST", `/cases/${caseId}/assign`, { providerId: target.providerId }),
        admin("POST", `/cases/${caseId}/decisions`, { ...decision, addedByUserId: target.providerId }),
        admin("POST", `/cases/${caseId}/decisions`, {
          ...decision,
          addedByUserId: own,
          productId: target.clinic.productId
        }),
        admin("POST", `/cases/${caseId}/comments`, {
          authorUserId: target.patientId,
          text: "Hello",
          isRestricted: false
        }),
        admin("POST", `/cases/${caseId}/attachments`, {
          uploadedByUserId: target.patientId,
          fileName: "a.pdf",
          content: pdf
        })
      ]
      for (const attempt of refused) {
        const answer = yield* attempt
        assert.strictEqual(answer.status, 422, told(answer))
        assert.isNotEmpty(answer.json.detail)
        assert.notInclude(told(answer), canary)
      }
    })
  )
})

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin, CallWatch, call, type Exchange } from "./harness/call.ts"
import { markedClinic } from "./harness/canary/markedClinic.ts"
import { health, person } from "./harness/canary/markers.ts"
import { operationIn } from "./harness/canary/reach.ts"
import { tellTheRest } from "./harness/canary/tellTheRest.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, newPatient } from "./harness/fixtures.ts"
import { eventOf } from "./harness/gatewayEvents.ts"
import { openEverything } from "./harness/openEverything.ts"
import { operations } from "./harness/operations.ts"
import { tellOf } from "./harness/pharmacy.ts"
import { tell } from "./harness/providerEvents.ts"
import { Suite } from "./harness/Suite.ts"
import type { SuiteTime } from "./harness/SuiteTime.ts"
import { refresh, signIn, signOut } from "./harness/signIn.ts"
import { sendEvent } from "./harness/stripe.ts"
import { tellEverything } from "./harness/tellEverything.ts"
import { unaudited } from "./harness/unaudited.ts"

// In every text that is told after the erasure.
const late = "ziegenmelker"

const meetingsAt = "https://api.calendly.com/scheduled_events"

/** The operations that concern patients, and so write who did what with whose data. */
const ofPatients = operations.filter(({ endpoint, method }) => unaudited[`${method} ${endpoint.path}`] === undefined)

// What makes somebody who is told of another patient, once the one with this email was erased.
const creations = ["intake.createCase", "dynamicCases.createDynamicCase"]

interface Erased {
  readonly clinic: Clinic
  readonly caseId: string
  readonly userId: string
  readonly providerId: string
  readonly orderId: string
  readonly escalationId: string
  readonly documentUrl: string
  readonly eventId: string
  readonly agentEventId: string
  readonly paymentId: string
  readonly intentId: string
  readonly accessToken: string
  readonly refreshToken: string
}

const firstOf = <A extends object>(of: string, rows: ReadonlyArray<A>): A =>
  rows[0] ?? assert.fail(`The patient has no ${of}`)

/** Everything that an operation may name of a patient. */
const everythingOf = Effect.fnUntraced(function* (clinic: Clinic, caseId: string) {
  const { key, organizationId } = clinic
  const { json } = yield* admin("GET", `/cases/${caseId}`)
  const userId: string = json.submitter.id
  const orders = (yield* admin("GET", `/cases/${caseId}/orders`)).json.data
  const escalations = (yield* admin("GET", `/cases/${caseId}/escalations`)).json.data
  const detail = `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true&documentFormat=url`
  const { attachments } = (yield* call("GET", detail, { key })).json.caseDetail
  const session = yield* signIn(key, `new.${person.email}`)
  const events = yield* inDatabase(
    (sql) => sql<{ id: string; agentEventId: string }>`
      SELECT id, agent_event_id AS "agentEventId" FROM scheduling.calendar_events
      WHERE organization_id = ${organizationId} AND user_id = ${userId} AND agent_event_id IS NOT NULL
    `
  )
  const payments = yield* inDatabase(
    (sql) => sql<{ id: string; intentId: string | null }>`
      SELECT id, intent_id AS "intentId" FROM payments.payments
      WHERE organization_id = ${organizationId} AND user_id = ${userId} ORDER BY intent_id IS NULL
    `
  )
  const providers = yield* inDatabase(
    (sql) => sql<{ id: string }>`
      SELECT id FROM auth.users WHERE organization_id = ${organizationId} AND role = 'PROVIDER'
    `
  )
  const { id: eventId, agentEventId } = firstOf("appointment", events)
  const { id: paymentId, intentId } = firstOf("payment", payments)
  const erased: Erased = {
    clinic,
    caseId,
    userId,
    providerId: firstOf("provider", providers).id,
    orderId: orders[0].id,
    escalationId: escalations[0].id,
    documentUrl: attachments[0].url,
    eventId,
    agentEventId,
    paymentId,
    intentId: intentId ?? "pi_unknown",
    accessToken: session.accessToken,
    refreshToken: session.refreshToken
  }
  return erased
})

type Try = (erased: Erased) => Effect.Effect<Answer, never, Suite | SuiteTime>

const ofCase =
  (path: string): Try =>
  ({ caseId }) =>
    admin("GET", `/cases/${caseId}${path}`)

const ofPayment =
  (path: string): Try =>
  ({ paymentId }) =>
    admin(path === "" ? "GET" : "POST", `/payments/${paymentId}${path}`, path === "" ? undefined : {})

/** What is asked of somebody who was erased where what was asked of them before cannot be sent again. */
const tries: Readonly<Record<string, Try>> = {
  "users.me": ({ accessToken, clinic: { key } }) =>
    call("GET", "/api/v1/users/me", { key, headers: { authorization: `Bearer ${accessToken}` } }),
  "signIn.refresh": ({ clinic, refreshToken }) => refresh(clinic.key, refreshToken),
  "signIn.signOut": ({ clinic, refreshToken }) => signOut(clinic.key, refreshToken),
  // A file is no JSON.
  "documentLinks.download": ({ documentUrl }) =>
    Effect.promise(async () => {
      const answer = await fetch(documentUrl)
      return { status: answer.status, headers: answer.headers, json: await answer.text() }
    }),
  "calendarActions.cancel": ({ caseId, clinic: { key }, eventId }) =>
    call("POST", `/api/v1/cases/${caseId}`, {
      key,
      body: { action: "CANCEL_CALENDAR_EVENT", calendar: { id: eventId } }
    }),
  "backOffice.case": ofCase(""),
  "caseLists.comments": ofCase("/comments"),
  "caseLists.decisions": ofCase("/decisions"),
  "caseLists.attachments": ofCase("/attachments"),
  "caseLists.orders": ofCase("/orders"),
  "caseLists.escalations": ofCase("/escalations"),
  "caseLists.formResponses": ofCase("/form-responses"),
  "caseLists.calendarEvents": ofCase("/calendar-events"),
  "caseLists.activity": ofCase("/activity"),
  "backOffice.assign": ({ caseId, providerId }) => admin("POST", `/cases/${caseId}/assign`, { providerId }),
  "backOffice.start": ({ caseId }) => admin("POST", `/cases/${caseId}/start`),
  "backOffice.completeEscalation": ({ escalationId }) => admin("POST", `/escalations/${escalationId}/complete`),
  "adminPayments.list": ({ caseId }) => admin("GET", `/payments?caseId=${caseId}`),
  "adminPayments.get": ofPayment(""),
  "adminPayments.capture": ofPayment("/capture"),
  "adminPayments.release": ofPayment("/release"),
  "adminPayments.refund": ofPayment("/refund"),
  "members.removeUser": ({ userId }) => admin("DELETE", `/users/${userId}`),
  "patientErasure.erase": ({ userId }) => admin("POST", `/users/${userId}/erase`, {}),
  "patientExport.export": ({ userId }) => admin("GET", `/users/${userId}/export`),
  "gatewayEvents.received": ({ intentId }) => {
    const declined = { message: late, payment_method: { billing_details: { name: late } } }
    return sendEvent(eventOf("payment_intent.payment_failed", { id: intentId, last_payment_error: declined }))
  },
  "providerEvents.received": ({ agentEventId }) =>
    tell({
      event: "invitee.canceled",
      created_at: "2026-08-01T10:00:00.000000Z",
      payload: {
        uri: `${meetingsAt}/${agentEventId}/invitees/1`,
        event: `${meetingsAt}/${agentEventId}`,
        cancellation: { reason: late, canceled_by: late },
        rescheduled: false,
        old_invitee: null
      }
    })
}

/** A request that was answered before the patient was erased, as a new one. */
const again = ({ method, options, path }: Exchange) =>
  call(method, path, {
    ...options,
    headers: { ...options.headers, "idempotency-key": randomUUID() },
    ...(options.body !== undefined && {
      body: JSON.parse(
        JSON.stringify(options.body)
          .replaceAll(health, late)
          .replace(/"idempotencyKey":"[^"]*",?/, "")
      )
    })
  })

layer(Suite.layer, { timeout: "120 seconds", excludeTestServices: true })("a patient who was erased", (it) => {
  it.effect("is answered as documented by every operation of the contracts, and nothing that it is told is kept", () =>
    Effect.gen(function* () {
      const before: Array<Exchange> = []
      const erased = yield* Effect.gen(function* () {
        const clinic = yield* markedClinic
        const caseId = yield* tellEverything(clinic, health, { ...newPatient(), ...person })
        yield* tellTheRest(clinic, caseId)
        return yield* everythingOf(clinic, caseId)
      }).pipe(Effect.provideService(CallWatch, (exchange) => before.push(exchange)))
      const accepted = before.filter(({ answer }) => answer.status < 300)
      const known = Map.groupBy(accepted, (exchange) => operationIn(exchange) ?? "")
      const tried = new Set([...known.keys(), ...Object.keys(tries)])
      assert.deepStrictEqual(
        ofPatients.map(({ id }) => id).filter((id) => !tried.has(id)),
        [],
        "an operation is not tried on a patient who was erased: say in `tries` how it is asked"
      )
      assert.includeMembers(
        operations.map(({ id }) => id),
        Object.keys(tries)
      )
      assert.strictEqual((yield* admin("POST", `/users/${erased.userId}/erase`, { force: true })).status, 200)

      const answers: Array<readonly [string, Answer]> = []
      const askAll = Effect.fnUntraced(function* (asked: typeof ofPatients) {
        for (const { id } of asked) {
          const own = tries[id]
          const attempts = own === undefined ? (known.get(id) ?? []).map(again) : [own(erased)]
          for (const attempt of attempts) answers.push([id, yield* attempt])
        }
      })
      const [ofErased = [], ofOthers = []] = [false, true].map((isCreation) =>
        ofPatients.filter(({ id }) => creations.includes(id) === isCreation)
      )
      // As the case is then, which is closed, and when somebody has opened it again.
      yield* askAll(ofErased)
      const { key } = erased.clinic
      const body = { action: "CHANGE_CASE_STATUS", status: "REOPEN", reason: late }
      assert.strictEqual((yield* call("POST", `/api/v1/cases/${erased.caseId}`, { key, body })).status, 200)
      // An erasure would close it.
      yield* askAll(ofErased.filter(({ id }) => id !== "patientErasure.erase"))
      assert.isBelow(yield* tellOf(erased.orderId, { status: "DELIVERED", trackingId: late, message: late }), 500)
      yield* jobsDone("payments", "payment-event")
      yield* jobsDone("cases", "assignment")
      const stored = yield* openEverything
      assert.deepStrictEqual(
        Object.keys(stored).filter((table) => stored[table]?.includes(late) === true),
        []
      )
      yield* askAll(ofOthers)
      // That it is as documented, `call` has seen to.
      assert.deepStrictEqual(
        answers.flatMap(([id, { status }]) => (status >= 500 ? [`${id} ${status}`] : [])),
        []
      )
      const told = answers.filter(([id]) => !creations.includes(id)).map(([, { json }]) => JSON.stringify(json ?? ""))
      // Whoever writes is told what they wrote, and nothing that was written before.
      for (const text of [health, person.lastName]) assert.notInclude(told.join("\n"), text)
      const statuses = Object.fromEntries(answers.map(([id, { status }]) => [id, status]))
      assert.deepInclude(statuses, {
        "users.me": 401,
        "signIn.refresh": 401,
        "users.checkUser": 200,
        "users.updateProfile": 400,
        "users.updateEmail": 400,
        "reading.latestCaseId": 400,
        "patientErasure.erase": 200,
        "patientExport.export": 200
      })
    })
  )
})

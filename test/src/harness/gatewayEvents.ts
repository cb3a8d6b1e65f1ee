import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./call.ts"
import { inDatabase, jobsDone } from "./database.ts"
import { type Clinic, caseBody, createCase, newPatient } from "./fixtures.ts"
import { type SentEvent, sendEvent } from "./stripe.ts"

/** Returns a new id of a payment intent. */
export const intentId = () => `pi_${randomUUID().replaceAll("-", "")}`

/** Creates an abandoned case with a payment intent, and returns the case's id. */
export const createAbandonedCase = Effect.fnUntraced(function* (clinic: Clinic, intent: string) {
  const { email, firstName, lastName } = newPatient()
  const created = yield* createCase(
    clinic,
    caseBody(clinic, {
      status: "ABANDONED",
      idempotencyKey: randomUUID(),
      user: { email, firstName, lastName },
      payment: { providerReference: { type: "PAYMENT_INTENT", id: intent } }
    })
  )
  assert.strictEqual(created.status, 200)
  yield* jobsDone("cases", "payment-recording")
  return String(created.json.data.caseId)
})

/** Returns an event of the payment gateway. */
export const eventOf = (
  type: string,
  object: Readonly<Record<string, unknown>>,
  id = `evt_${randomUUID()}`
): SentEvent => ({
  id,
  type,
  created: 1_772_359_200,
  data: { object }
})

/** Returns the event of a successful payment of 299 USD. An intent that a partner made names no organization. */
export const succeeded = (id: string, organizationId?: string) =>
  eventOf("payment_intent.succeeded", {
    id,
    amount: 29_900,
    currency: "usd",
    status: "succeeded",
    ...(organizationId !== undefined && { metadata: { organizationId } })
  })

/** Returns the event of a failed attempt to pay. */
export const failed = (id: string) =>
  eventOf("payment_intent.payment_failed", { id, status: "requires_payment_method" })

/** Waits until all events of the gateway are handled, and the cases service has the payments. */
export const untilEventsHandled = Effect.andThen(
  jobsDone("payments", "payment-event"),
  jobsDone("payments", "payment-replication")
)

/** Sends events one after the other, and waits until they are handled. */
export const sendAll = (...events: ReadonlyArray<SentEvent>) =>
  Effect.gen(function* () {
    for (const event of events) assert.strictEqual((yield* sendEvent(event)).status, 200)
    yield* untilEventsHandled
  })

/** Returns the state of a case. */
export const caseOf = (caseId: string) =>
  Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => ({
    status: String(json.status),
    isArchived: Boolean(json.isArchived),
    archiveNote: json.archiveNote
  }))

/** Returns the types of the activity of a case. */
export const activityTypesOf = (caseId: string) =>
  Effect.map(
    admin("GET", `/cases/${caseId}/activity`),
    ({ json }): ReadonlyArray<string> => json.data.map(({ type }: { readonly type: string }) => type)
  )

/** Reads the payment of a case. */
export const paymentOf = (caseId: string) =>
  inDatabase(
    "payments",
    (sql) => sql<{ id: string; status: string }>`SELECT id, status FROM payments.payments WHERE case_id = ${caseId}`
  ).pipe(Effect.map(([payment]) => payment ?? assert.fail("the case has no payment")))

/** The states of cases whose payment intent succeeded, failed, or did neither. */
export const opened = { status: "OPEN", isArchived: false, archiveNote: null }
export const archived = { status: "ABANDONED", isArchived: true, archiveNote: "Payment intent failed" }
export const waiting = { status: "ABANDONED", isArchived: false, archiveNote: null }

import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./call.ts"
import { inDatabase, jobsDone } from "./database.ts"
import { type Clinic, caseBody, createCase, newPatient } from "./fixtures.ts"
import { type SentEvent, sendEvent } from "./stripe.ts"

/** The id of a payment intent that nobody has named. */
export const intentId = () => `pi_${randomUUID().replaceAll("-", "")}`

/** A checkout that was abandoned, with the intent that it names. */
export const abandon = Effect.fnUntraced(function* (clinic: Clinic, intent: string) {
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

/** An event of the gateway. */
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

/** An intent of 299 USD succeeded. */
export const succeeded = (id: string) =>
  eventOf("payment_intent.succeeded", { id, amount: 29_900, currency: "usd", status: "succeeded" })
/** A try to pay an intent failed. */
export const failed = (id: string) =>
  eventOf("payment_intent.payment_failed", { id, status: "requires_payment_method" })

/** Waits until what the gateway told is done, and cases knows. */
export const settled = Effect.andThen(
  jobsDone("payments", "payment-event"),
  jobsDone("payments", "payment-replication")
)

/** Sends events one after the other, and waits until all is done. */
export const sendAll = (...events: ReadonlyArray<SentEvent>) =>
  Effect.gen(function* () {
    for (const event of events) assert.strictEqual((yield* sendEvent(event)).status, 200)
    yield* settled
  })

/** Where a case stands. */
export const caseOf = (caseId: string) =>
  Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => ({
    status: String(json.status),
    isArchived: Boolean(json.isArchived),
    archiveNote: json.archiveNote
  }))

/** What happened to a case. */
export const typesOf = (caseId: string) =>
  Effect.map(
    admin("GET", `/cases/${caseId}/activity`),
    ({ json }): ReadonlyArray<string> => json.data.map(({ type }: { readonly type: string }) => type)
  )

/** The payment that a case began with. */
export const paymentOf = (caseId: string) =>
  inDatabase(
    (sql) => sql<{ id: string; status: string }>`SELECT id, status FROM payments.payments WHERE case_id = ${caseId}`
  ).pipe(Effect.map(([payment]) => payment ?? assert.fail("the case has no payment")))

/** Where cases stand whose intent succeeded, failed, or did neither. */
export const opened = { status: "OPEN", isArchived: false, archiveNote: null }
export const archived = { status: "ABANDONED", isArchived: true, archiveNote: "Payment intent failed" }
export const waiting = { status: "ABANDONED", isArchived: false, archiveNote: null }

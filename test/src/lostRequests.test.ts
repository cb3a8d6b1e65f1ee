import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { appointmentsOf, book, bookingBody, clinicWithPatient, openSlot } from "./harness/appointments.ts"
import { call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody } from "./harness/fixtures.ts"
import { pharmacyOrder } from "./harness/pharmacy.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { saveMethod } from "./harness/saveMethod.ts"
import { meetingsOf } from "./harness/schedulingProvider.ts"
import { askStripe } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"

// Deletes the stored answers of a clinic, as after 30 days.
const forgetAnswers = ({ organizationId }: Clinic) =>
  Effect.forEach(["cases", "payments", "scheduling"] as const, (service) =>
    inDatabase(
      service,
      (sql) => sql`DELETE FROM ${sql(`${service}.idempotency_keys`)} WHERE organization_id = ${organizationId}`
    )
  )

const withKey = (key: string) => ({ "idempotency-key": key })

const create = ({ key: clinicKey }: Clinic, body: unknown, key: string) =>
  call("POST", "/api/v1/cases", { key: clinicKey, body, headers: withKey(key) })

const pay = ({ key: clinicKey }: Clinic, caseId: string, key: string, preauthorize: boolean) =>
  call("POST", `/api/v1/cases/${caseId}/payments`, {
    key: clinicKey,
    body: { amount: 10, description: "Refill", preauthorize },
    headers: withKey(key)
  })

testsOn(Suite.layer, "a repeated request whose answer is not stored any more", (it) => {
  const prepared = Effect.gen(function* () {
    const { caseId, clinic, email } = yield* clinicWithPatient
    const customer = yield* saveMethod(clinic, caseId, "pm_card_visa")
    return { caseId, clinic, customer, email, startTime: yield* openSlot(clinic), key: randomUUID() }
  })

  it("is a new request while what it made is there", function* () {
    const { caseId, clinic, key } = yield* prepared
    const body = caseBody(clinic, { forceCreate: true })
    const requests = Effect.all({
      created: Effect.map(create(clinic, body, key), ({ json }) => json.data.caseId),
      order: Effect.map(placeOrder(clinic, caseId, orderBody(), {}, withKey(key)), ({ json }) => json.data.order.id),
      held: Effect.map(pay(clinic, caseId, `${key}-held`, true), ({ json }) => json.data.result.paymentId),
      unpaid: Effect.map(pay(clinic, caseId, key, false), ({ json }) => json.data.result.paymentId)
    })
    const first = yield* requests
    assert.deepStrictEqual(yield* requests, first)
    yield* forgetAnswers(clinic)
    const second = yield* requests
    yield* forgetAnswers(clinic)
    const all = [first, second, yield* requests].flatMap(Object.values)
    assert.lengthOf(new Set(all), 12)
    for (const id of all) assert.match(id, /^[0-9a-f-]{36}$/)
  })

  it("makes lost rows anew under their ids, and third parties do nothing twice", function* () {
    const { caseId, clinic, customer, email, key, startTime } = yield* prepared
    const requests = Effect.all({
      order: Effect.map(placeOrder(clinic, caseId, orderBody(), {}, withKey(key)), ({ json }) => json.data.order.id),
      held: Effect.map(pay(clinic, caseId, key, true), ({ json }) => json.data.result),
      booked: Effect.map(book(clinic, bookingBody(email, startTime), key), ({ status }) => status)
    })
    const first = yield* requests
    yield* jobsDone("cases", "order-hand-over")
    const meetings = yield* meetingsOf(email)
    yield* forgetAnswers(clinic)
    const { organizationId } = clinic
    for (const [service, tables] of [
      ["cases", ["order_contents", "orders"]],
      ["payments", ["payments", "payment_intents", "stripe_calls"]],
      ["scheduling", ["calendar_events", "bookings"]]
    ] as const) {
      for (const table of tables) {
        yield* inDatabase(
          service,
          (sql) => sql`DELETE FROM ${sql(`${service}.${table}`)} WHERE organization_id = ${organizationId}`
        )
      }
    }
    const second = yield* requests
    assert.deepStrictEqual([second.order, second.booked], [first.order, 200])
    assert.deepInclude(second.held, { paymentId: first.held.paymentId, status: "AUTHORIZED" })
    yield* jobsDone("cases", "order-hand-over")
    const { received, taken } = yield* pharmacyOrder(first.order)
    assert.lengthOf(received, 2)
    assert.isNotNull(taken)
    const { data } = yield* askStripe((client) => client.paymentIntents.list({ customer }))
    assert.deepStrictEqual(
      data.map(({ status }) => status),
      ["requires_capture"]
    )
    assert.deepStrictEqual(yield* meetingsOf(email), meetings)
    assert.lengthOf(yield* appointmentsOf(clinic, email), 1)
  })
})

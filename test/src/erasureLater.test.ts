import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Record } from "effect"
import { book, bookingBody, openSlot } from "./harness/appointments.ts"
import { createEvent } from "./harness/calendar.ts"
import { admin } from "./harness/call.ts"
import { inDatabase, inEveryDatabase, jobsDone } from "./harness/database.ts"
import { erase, patientOf, patientsOf, tablesWith } from "./harness/erasures.ts"
import { failedPayment } from "./harness/failedPayment.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { openEverything } from "./harness/openEverything.ts"
import { pharmacyOrder, sendOrderUpdate, setPharmacyAnswers } from "./harness/pharmacy.ts"
import { changeStatus, orderBody, placeOrder } from "./harness/placeOrder.ts"
import { sendSchedulingEvent } from "./harness/providerEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.layer, "a patient who was erased", (it) => {
  const statusesOf = (caseId: string) =>
    Effect.map(admin("GET", `/cases/${caseId}/orders`), ({ json }) =>
      Object.fromEntries(json.data.map(({ id, status }: { id: string; status: string }) => [id, status]))
    )

  it("an interrupted erasure is completed by a job, and another one minutes later erases what was under way", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    yield* createEvent(clinic, caseId)
    const userId = yield* patientOf(clinic, caseId)
    // Interrupted before a service's first step, between two, and in the last: the key of cases is destroyed, and its cases are still open.
    const broken = { scheduling: "patient_keys", cases: "cases", payments: "saved_methods" }
    yield* Effect.all(
      Record.map(broken, (table, service) =>
        inDatabase(service, (sql) =>
          Effect.andThen(
            sql.unsafe(`
              CREATE FUNCTION ${service}.broken() RETURNS trigger LANGUAGE plpgsql
              AS $$ BEGIN RAISE EXCEPTION 'broken off'; END $$
            `),
            sql.unsafe(`
              CREATE TRIGGER broken BEFORE INSERT OR UPDATE OR DELETE ON ${service}.${table}
              FOR EACH STATEMENT EXECUTE FUNCTION ${service}.broken()
            `)
          )
        )
      )
    )
    const answer = yield* erase(userId, true)
    assert.strictEqual(answer.status, 200)
    assert.sameMembers(answer.json.pending, ["cases", "payments", "scheduling"])
    const keysLeft = Effect.map(
      inEveryDatabase(
        (sql, service) => sql<{ service: string }>`
          SELECT ${service}::text AS service FROM ${sql(`${service}.patient_keys`)}
          WHERE user_id = ${userId} AND wrapped IS NOT NULL
        `
      ),
      (rows) => rows.filter(({ service }) => service === "scheduling" || service === "cases")
    )
    const openCases = inDatabase(
      "cases",
      (sql) => sql`SELECT FROM cases.cases WHERE user_id = ${userId} AND NOT is_archived`
    )
    assert.deepStrictEqual(yield* keysLeft, [{ service: "scheduling" }])
    assert.lengthOf(yield* openCases, 1)

    yield* Effect.all(
      Record.map(broken, (_, service) =>
        inDatabase(service, (sql) => sql`DROP FUNCTION ${sql(`${service}.broken`)} CASCADE`)
      )
    )
    const waiting = inDatabase(
      "auth",
      (sql) => sql`
          SELECT id, due_at > now() + interval '1 minute' AS "isLater" FROM auth.jobs
          WHERE queue_name = 'patient-erasure' AND organization_id = ${organizationId} AND state IN ('pending', 'running')
        `
    )
    yield* until(waiting, ({ length }) => length === 1)
    assert.deepInclude((yield* waiting)[0], { isLater: true })
    assert.isEmpty(yield* keysLeft)
    assert.isEmpty(yield* openCases)

    // Data that arrived slightly too late: a code to the patient's old address, and an open case.
    yield* inDatabase(
      "auth",
      (sql) => sql`
          INSERT INTO auth.one_time_codes (
            organization_id, user_id, id, identifier, code_hash, attempts, max_attempts, expires_at, next_code_at, sent_at
          )
          VALUES (
            ${organizationId}, ${userId}, gen_random_uuid(), ${body.user.email}, 'hash', 0, 5, now() + interval '1 hour', now(),
            ARRAY[now()]
          )
        `
    )
    yield* inDatabase("cases", (sql) => sql`UPDATE cases.cases SET is_archived = false WHERE user_id = ${userId}`)
    yield* inDatabase(
      "auth",
      (sql) => sql`
          UPDATE auth.jobs SET due_at = now() WHERE queue_name = 'patient-erasure' AND organization_id = ${organizationId}
        `
    )
    yield* until(waiting, ({ length }) => length === 0)
    assert.isEmpty(yield* openCases)
    assert.deepStrictEqual(tablesWith(yield* openEverything, body.user.email), [])
  })

  it("a payment that was not recorded yet is still recorded, and its sealed texts cannot be opened", function* () {
    const clinic = yield* makeClinic
    const { description, job, repair } = yield* failedPayment(clinic)
    assert.includeMembers(tablesWith(yield* openEverything, description), ["payments.payments", "cases.jobs"])
    for (const { id } of yield* patientsOf(clinic)) assert.strictEqual((yield* erase(id, true)).status, 200)
    yield* repair
    assert.strictEqual((yield* admin("POST", `/jobs/${job.id}/retry`)).status, 200)
    yield* jobsDone("cases", "payment-recording")
    assert.deepStrictEqual(tablesWith(yield* openEverything, description), [])
    const recorded = yield* inDatabase(
      "payments",
      (sql) => sql`SELECT is_prepared FROM payments.payments WHERE organization_id = ${clinic.organizationId}`
    )
    assert.deepStrictEqual(recorded, [{ is_prepared: false }])
  })

  for (const trouble of ["down", "loseAnswer"]) {
    it(`an order that waits for a pharmacy in trouble (${trouble}) is canceled by its job, and nobody sends what is erased`, function* () {
      const clinic = yield* makeClinic
      const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
      const pharmacyId = randomUUID()
      yield* setPharmacyAnswers(pharmacyId, trouble, "down")
      const orderId: string = (yield* placeOrder(clinic, caseId, orderBody({ pharmacyId }))).json.data.order.id
      yield* until(pharmacyOrder(orderId), ({ received }) => received.length > 0)
      assert.deepStrictEqual(yield* statusesOf(caseId), { [orderId]: "PENDING" })

      assert.strictEqual((yield* erase(yield* patientOf(clinic, caseId), true)).status, 200)
      yield* jobsDone("cases", "order-hand-over")
      assert.deepStrictEqual(yield* statusesOf(caseId), { [orderId]: "CANCELED" })
      const activity = (yield* admin("GET", `/cases/${caseId}/activity`)).json.data
      assert.deepInclude(activity.at(-1), { type: "ORDER_CHANGED", details: { orderId, status: "CANCELED" } })
      const { received, taken } = yield* pharmacyOrder(orderId)
      assert.strictEqual(taken !== null, trouble === "loseAnswer")
      assert.notInclude(JSON.stringify(received), "[erased]")
    })
  }

  it("no order is handed over, although the case is open again: neither a repeated one nor a new one", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const pharmacyId = randomUUID()
    yield* setPharmacyAnswers(pharmacyId, "reject", "accept")
    const placeOrderAt = Effect.map(placeOrder(clinic, caseId, orderBody({ pharmacyId })), ({ json }) =>
      String(json.data.order.id)
    )
    const refused = yield* placeOrderAt
    yield* jobsDone("cases", "order-hand-over")
    assert.deepStrictEqual(yield* statusesOf(caseId), { [refused]: "ERROR" })

    assert.strictEqual((yield* erase(yield* patientOf(clinic, caseId), true)).status, 200)
    assert.strictEqual((yield* changeStatus(clinic, caseId, "REOPEN")).status, 200)
    const [job] = yield* inDatabase(
      "cases",
      (sql) => sql<{ id: string }>`
          SELECT id FROM cases.jobs WHERE organization_id = ${clinic.organizationId} AND queue_name = 'order-hand-over'
        `
    )
    assert.strictEqual((yield* admin("POST", `/jobs/${job?.id}/retry`)).status, 200)
    const placed = yield* placeOrderAt
    yield* jobsDone("cases", "order-hand-over")
    assert.deepStrictEqual(yield* statusesOf(caseId), { [refused]: "CANCELED", [placed]: "CANCELED" })
    assert.lengthOf((yield* pharmacyOrder(refused)).received, 1)
    assert.isEmpty((yield* pharmacyOrder(placed)).received)
  })

  it("signed events about the patient that arrive later are stored unreadably", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const { email } = body.user
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    const orderId: string = (yield* placeOrder(clinic, caseId)).json.data.order.id
    yield* jobsDone("cases", "order-hand-over")
    const userId = yield* patientOf(clinic, caseId)
    assert.strictEqual((yield* book(clinic, bookingBody(email, yield* openSlot(clinic)))).status, 200)
    const meetings = yield* inDatabase(
      "scheduling",
      (sql) => sql<{ id: string }>`
          SELECT agent_event_id AS id FROM scheduling.calendar_events WHERE user_id = ${userId}
        `
    )
    const api = "https://api.calendly.com"
    const created_at = "2026-08-01T10:00:00.000000Z"
    const moved = (from: string, to: string, text: string) =>
      sendSchedulingEvent({
        event: "invitee.created",
        created_at,
        payload: {
          ...{ uri: `${to}/invitees/1`, event: to, email: `${text}@example.com`, name: text },
          old_invitee: `${from}/invitees/1`,
          scheduled_event: {
            ...{ uri: to, name: text, status: "active", created_at, event_type: `${api}/event_types/et_demo_30min` },
            ...{ start_time: "2060-08-02T15:00:00.000000Z", end_time: "2060-08-02T15:30:00.000000Z" }
          }
        }
      })
    const canceled = (event: string | undefined, text: string) => {
      const payload = { uri: `${event}/invitees/1`, event, rescheduled: false, old_invitee: null }
      const cancellation = { reason: text, canceled_by: text }
      return sendSchedulingEvent({ event: "invitee.canceled", created_at, payload: { ...payload, cancellation } })
    }
    const [first = "", second, third] = [meetings[0]?.id, randomUUID(), randomUUID()].map(
      (id) => `${api}/scheduled_events/${id}`
    )
    const ofOrder = (text: string) =>
      sendOrderUpdate(orderId, {
        ...{ status: "SHIPPED", message: text, trackingId: text, trackingUrl: `https://ups.example/${text}` },
        shippingLog: { message: text }
      })
    const [early, late] = ["gimpel", "girlitz"]
    assert.strictEqual(yield* ofOrder(early), 200)
    assert.strictEqual((yield* moved(first, second ?? "", early)).status, 200)
    // Nothing about unknown meetings is stored that an erasure would have to find.
    const [unknown, next, calledOff] = [randomUUID(), randomUUID(), randomUUID()] as const
    const at = (id: string) => `${api}/scheduled_events/${id}`
    assert.strictEqual((yield* moved(at(unknown), at(next), early)).status, 200)
    assert.strictEqual((yield* canceled(at(calledOff), early)).status, 200)
    const opened = yield* openEverything
    for (const id of [unknown, next, calledOff]) {
      assert.deepStrictEqual(tablesWith(opened, id), ["scheduling.provider_events"])
    }
    assert.sameMembers(tablesWith(opened, early), ["cases.orders", "scheduling.calendar_events"])

    assert.strictEqual((yield* erase(userId, true)).status, 200)
    assert.deepStrictEqual(tablesWith(yield* openEverything, early), [])
    assert.strictEqual(yield* ofOrder(late), 200)
    assert.strictEqual((yield* moved(second ?? "", third ?? "", late)).status, 200)
    assert.strictEqual((yield* canceled(third, late)).status, 200)
    assert.deepStrictEqual(tablesWith(yield* openEverything, late), [])
  })
})

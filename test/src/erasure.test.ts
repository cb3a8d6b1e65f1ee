import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { book, bookingBody, openSlot } from "./harness/appointments.ts"
import { calendarEvent, createEvent } from "./harness/calendar.ts"
import { admin, call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { failedPayment } from "./harness/failedPayment.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient, weightQuestion } from "./harness/fixtures.ts"
import { allEnded, jobsOf } from "./harness/jobsOf.ts"
import { jsonOf, openEverything, openRows } from "./harness/openEverything.ts"
import { tellOf } from "./harness/pharmacy.ts"
import { placeOrder } from "./harness/placeOrder.ts"
import { tell } from "./harness/providerEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { signIn } from "./harness/signIn.ts"
import { tellEverything } from "./harness/tellEverything.ts"
import { until } from "./harness/until.ts"

// In everything that somebody writes about a patient, and in the patient's name.
const secret = "nachtigall"
const lastName = "Rotkehlchen"

const patientsOf = ({ organizationId }: Clinic) =>
  inDatabase(
    (sql) => sql<{ id: string; email: string; phone_number: string | null }>`
      SELECT id, email, phone_number FROM auth.users
      WHERE organization_id = ${organizationId} AND role = 'USER' ORDER BY created_at, id
    `
  )

const tablesWith = (tables: Readonly<Record<string, string>>, text: string) =>
  Object.keys(tables).filter((table) => tables[table]?.includes(text) === true)

const erase = (userId: string, force = false) => admin("POST", `/users/${userId}/erase`, { force })

const patientOf = (clinic: Clinic, caseId: string) =>
  Effect.map(
    inDatabase(
      (sql) => sql<{ user_id: string }>`
        SELECT user_id FROM cases.cases WHERE organization_id = ${clinic.organizationId} AND id = ${caseId}
      `
    ),
    ([row]) => row?.user_id ?? assert.fail("There is no such case")
  )

layer(Suite.layer, { timeout: "120 seconds", excludeTestServices: true })("a patient", (it) => {
  it.effect("is exported with everything that was told, and after an erasure nothing of them opens or is shown", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const told = { ...newPatient(), lastName }
      const { email } = told
      const caseId = yield* tellEverything(clinic, secret, told)
      const patients = yield* patientsOf(clinic)
      assert.lengthOf(patients, 3)
      const patient = yield* patientOf(clinic, caseId)

      const before = yield* openEverything
      for (const table of [
        ...["auth.users", "cases.form_responses", "cases.comments", "cases.documents", "cases.document_pieces"],
        ...["cases.decisions", "cases.orders", "cases.order_contents", "cases.escalations", "cases.cases"],
        ...["cases.case_products", "payments.payments", "payments.payment_confirmations", "payments.saved_methods"],
        ...["scheduling.calendar_events", "scheduling.bookings", "scheduling.cancellations"],
        ...["auth.idempotency_keys", "cases.idempotency_keys", "payments.idempotency_keys"]
      ]) {
        assert.include(tablesWith(before, secret), table)
      }
      assert.includeMembers(tablesWith(before, lastName), ["auth.users", "cases.people"])

      const answered = yield* admin("GET", `/users/${patient}/export`)
      assert.strictEqual(answered.headers.get("cache-control"), "no-store")
      const exported = answered.json
      const { appointments, payments, profile, treatment } = exported
      assert.deepInclude(exported, { organizationId: clinic.organizationId, userId: patient })
      for (const [name, told] of Object.entries({
        ...{ users: profile.users, cases: treatment.cases, form_responses: treatment.form_responses },
        ...{ comments: treatment.comments, decisions: treatment.decisions, orders: treatment.orders },
        ...{ order_contents: treatment.order_contents, escalations: treatment.escalations },
        ...{ payments: payments.payments, confirmations: payments.payment_confirmations },
        ...{ methods: payments.saved_methods, events: appointments.calendar_events },
        ...{ bookings: appointments.bookings, cancellations: appointments.cancellations }
      })) {
        if (name !== "cases") assert.include(JSON.stringify(told), secret, name)
        assert.isNotEmpty(told, name)
      }
      const [first] = treatment.documents
      assert.include(Buffer.from(first.contentBase64, "base64").toString(), secret)
      assert.lengthOf(treatment.documents, 3)
      assert.notInclude(JSON.stringify(exported), "argon2")

      const key = { key: clinic.key }
      for (const { id } of patients) assert.strictEqual((yield* erase(id, true)).status, 200)
      yield* jobsDone("payments", "customer-deletion")
      const after = yield* openEverything
      const contacts = patients.flatMap(({ email, phone_number }) =>
        phone_number === null ? [email] : [email, phone_number]
      )
      for (const mark of [secret, lastName, ...contacts]) assert.deepStrictEqual(tablesWith(after, mark), [], mark)

      // Everything that is read of the case of somebody who was erased, in the documented shapes (`call` sees to that).
      const detail = yield* call(
        "GET",
        `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true&documentFormat=base64`,
        key
      )
      assert.strictEqual(detail.status, 200)
      assert.strictEqual(detail.json.caseDetail.submitter.firstName, "[erased]")
      assert.notInclude(JSON.stringify(detail.json), secret)
      for (const path of [
        ...["", "/comments", "/decisions", "/attachments", "/orders", "/escalations", "/form-responses"],
        ...["/calendar-events", "/activity"]
      ]) {
        assert.strictEqual((yield* admin("GET", `/cases/${caseId}${path}`)).status, 200, path)
      }
      for (const path of [`/payments?caseId=${caseId}`, `/cases?organizationId=${clinic.organizationId}`]) {
        assert.strictEqual((yield* admin("GET", path)).status, 200, path)
      }
      assert.isEmpty((yield* admin("GET", `/cases?email=${email}`)).json.data)
      for (const path of [
        `customer-case-detail?email=${email}`,
        `appointments?user_email=${email}&start_date=2026-01-01&end_date=2027-01-01`
      ]) {
        assert.isBelow((yield* call("GET", `/api/v1/${path}`, key)).status, 500, path)
      }
      const again = (yield* admin("GET", `/users/${patient}/export`)).json
      assert.notInclude(JSON.stringify(again), secret)
    })
  )

  it.effect(
    "who was erased is changed by nobody: no operation on their case fails, and nothing that it tells opens",
    () =>
      Effect.gen(function* () {
        const clinic = yield* makeClinic
        const caseId = yield* tellEverything(clinic, "amsel", { ...newPatient(), lastName: "Sperling" })
        const patient = yield* patientOf(clinic, caseId)
        const orders = (yield* admin("GET", `/cases/${caseId}/orders`)).json.data
        yield* erase(patient, true)
        const late = "zaunkoenig"
        const file = { fileName: `${late}.pdf`, content: Buffer.from(`%PDF-1.7 ${late}`).toString("base64") }
        const writes: ReadonlyArray<readonly [string, object]> = [
          [
            `/cases/${caseId}/comments`,
            { authorUserId: patient, text: late, isRestricted: false, attachments: [file] }
          ],
          [`/cases/${caseId}/attachments`, { uploadedByUserId: patient, ...file }]
        ]
        for (const [path, body] of writes) assert.isBelow((yield* admin("POST", path, body)).status, 500, path)
        assert.isBelow((yield* admin("PATCH", `/orders/${orders[0].id}`, { message: late })).status, 500)
        const asked: ReadonlyArray<readonly [string, object]> = [
          [
            `cases/${caseId}`,
            { action: "ADD_ESCALATION", escalations: [{ type: "support", title: "Cancellation", note: late }] }
          ],
          [`cases/${caseId}`, { action: "CHANGE_CASE_STATUS", status: "REOPEN", reason: late }],
          [`cases/${caseId}`, { action: "CHANGE_CASE_STATUS", status: "CLOSE", reason: late }],
          [`cases/${caseId}/payments`, { amount: 10, description: late }],
          [
            "forms",
            {
              caseId,
              formTitle: "More",
              questions: [{ question: "How?", type: "TEXT", required: true, phi: true, answer: late }]
            }
          ],
          [
            "customer-payment-confirmation",
            {
              caseId,
              amount: 10,
              paymentDate: "2026-03-02",
              status: "PAID",
              validUntil: "2026-04-01",
              description: late
            }
          ]
        ]
        for (const [index, [path, body]] of asked.entries()) {
          const headers = { "idempotency-key": `late-${index}` }
          assert.isBelow((yield* call("POST", `/api/v1/${path}`, { key: clinic.key, headers, body })).status, 500, path)
          // The same again gets the answer that was kept, or is told that it is gone.
          assert.isBelow((yield* call("POST", `/api/v1/${path}`, { key: clinic.key, headers, body })).status, 500, path)
        }
        yield* jobsDone("cases", "assignment")
        assert.deepStrictEqual(tablesWith(yield* openEverything, late), [])
        const detail = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true`, {
          key: clinic.key
        })
        assert.strictEqual(detail.status, 200)
      })
  )

  it.effect("is erased once by however many ask at once, and again says so again; the audit has it", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const created = yield* createCase(clinic, caseBody(clinic))
      const patient = yield* patientOf(clinic, created.json.data.caseId)
      const answers = yield* Effect.replicateEffect(erase(patient, true), 10, { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.strictEqual(new Set(answers.map(({ json }) => json.erasedAt)).size, 1)
      assert.deepStrictEqual((yield* erase(patient)).json, {
        userId: patient,
        organizationId: clinic.organizationId,
        erasedAt: answers[0]?.json.erasedAt,
        pending: []
      })
      const recorded = yield* inDatabase(
        (sql) => sql<{ actor_type: string; request_id: string }>`
          SELECT actor_type, request_id FROM auth.audit_records WHERE user_id = ${patient} AND action = 'PATIENT_ERASED'
        `
      )
      assert.lengthOf(recorded, 1)
      assert.strictEqual(recorded[0]?.actor_type, "OPERATOR")
      assert.include(
        answers.map(({ headers }) => headers.get("x-request-id")),
        recorded[0]?.request_id
      )
    })
  )

  it.effect("leaves everybody else as they were: of the same organization, and of another with the same email", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* makeClinic, yield* makeClinic]
      const user = newPatient()
      const tell = Effect.fnUntraced(function* (clinic: Clinic, told: ReturnType<typeof newPatient>, mark: string) {
        const { key } = clinic
        const form = { title: "Intake", questions: [{ ...weightQuestion, answer: mark }] }
        const body = caseBody(clinic, { user: told, products: [{ id: clinic.productId, form }] })
        const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
        yield* call("POST", `/api/v1/cases/${caseId}/payments`, { key, body: { amount: 10, description: mark } })
        yield* createEvent(clinic, caseId, calendarEvent({ title: mark }))
        const data = { email: told.email, allergies: mark }
        yield* call("POST", "/api/v1/users", { key, body: { action: "UPDATE_PROFILE", data } })
        yield* signIn(key, told.email)
        return yield* patientOf(clinic, caseId)
      })
      const patient = yield* tell(own, user, "dompfaff")
      const others = [yield* tell(own, newPatient(), "stieglitz"), yield* tell(other, user, "stieglitz")]
      // Their rows, and what they say, whatever that is.
      const standing = Effect.map(openRows, (rows) =>
        rows
          .filter(
            ({ row, table }) =>
              !/[.](?:jobs|audit_\w+|events|case_activity)$/.test(table) &&
              others.some((id) => jsonOf(row).includes(id))
          )
          .map(({ opened, row, table }) => `${table} ${jsonOf([row, opened])}`)
          .sort()
      )
      for (const clinic of [own, other]) yield* until(jobsOf(clinic), allEnded)
      const before = yield* standing
      for (const table of ["auth.users", "auth.refresh_token_families", "cases.cases", "cases.people"]) {
        assert.lengthOf(
          before.filter((line) => line.startsWith(`${table} `)),
          2,
          table
        )
      }
      const told = ["auth.users", "cases.form_responses", "payments.payments", "scheduling.calendar_events"]
      assert.deepStrictEqual(tablesWith(yield* openEverything, "stieglitz"), told)
      assert.deepStrictEqual(tablesWith(yield* openEverything, "dompfaff"), told)
      assert.strictEqual((yield* erase(patient, true)).status, 200)
      assert.deepStrictEqual(tablesWith(yield* openEverything, "dompfaff"), [])
      assert.deepStrictEqual(tablesWith(yield* openEverything, "stieglitz"), told)
      assert.deepStrictEqual(yield* standing, before)
    })
  )

  it.effect("whoever changes or moves a patient while they are erased comes before or after, and neither fails", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const waiting = inDatabase((sql) =>
        Effect.andThen(
          sql`SELECT pg_stat_clear_snapshot()`,
          // The message that the case is open may wait, too.
          sql`
            SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%INSERT INTO messages%'
          `
        )
      )
      for (const [action, isErasedFirst] of [
        ...[["UPDATE_PROFILE", true] as const, ["UPDATE_PROFILE", false] as const],
        ...[["UPDATE_EMAIL", true] as const, ["UPDATE_EMAIL", false] as const]
      ]) {
        const body = caseBody(clinic)
        const { email } = body.user
        const patient = yield* patientOf(clinic, (yield* createCase(clinic, body)).json.data.caseId)
        const data =
          action === "UPDATE_PROFILE"
            ? { email, allergies: "pollen" }
            : { currentEmail: email, newEmail: `new.${email}` }
        const erasing = erase(patient, true)
        const changing = call("POST", "/api/v1/users", { key: clinic.key, body: { action, data } })
        // While somebody has the patient's row both come to where they have to wait, one after the other.
        const [first, second] = yield* inDatabase((sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT FROM auth.users WHERE id = ${patient} FOR UPDATE`
              const first = yield* Effect.forkChild(isErasedFirst ? erasing : changing)
              yield* until(waiting, ({ length }) => length === 1)
              const second = yield* Effect.forkChild(isErasedFirst ? changing : erasing)
              yield* until(waiting, ({ length }) => length === 2)
              return [first, second] as const
            })
          )
        )
        const statuses = [(yield* Fiber.join(first)).status, (yield* Fiber.join(second)).status]
        assert.deepStrictEqual(statuses, isErasedFirst ? [200, 400] : [200, 200], action)
        assert.deepStrictEqual(tablesWith(yield* openEverything, email), [], action)
      }
    })
  )

  it.effect("409 with an active case, which is closed when that is forced; 422 for staff; 404 for nobody", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
      const patient = yield* patientOf(clinic, caseId)
      const refused = yield* erase(patient)
      assert.deepInclude(refused.json, { status: 409, title: "The patient has an active case" })
      assert.strictEqual((yield* admin("GET", `/cases/${caseId}`)).json.submitter.firstName, "Maria")
      assert.strictEqual((yield* erase(patient, true)).status, 200)
      assert.isTrue((yield* admin("GET", `/cases/${caseId}`)).json.isArchived)
      const member = {
        email: `staff.${clinic.organizationId}@example.com`,
        firstName: "Jane",
        lastName: "Rivera",
        role: "PROVIDER"
      }
      const staff: string = (yield* admin("POST", `/organizations/${clinic.organizationId}/members`, member)).json.id
      assert.strictEqual((yield* erase(staff)).status, 422)
      assert.strictEqual((yield* admin("GET", `/users/${staff}/export`)).status, 422)
      const nobody = "00000000-0000-4000-8000-00000000dead"
      assert.strictEqual((yield* erase(nobody)).status, 404)
      assert.strictEqual((yield* admin("GET", `/users/${nobody}/export`)).status, 404)
      assert.strictEqual((yield* admin("POST", `/users/${patient}/erase`, { force: "yes" })).status, 400)
      assert.strictEqual((yield* erase("no-id")).status, 400)
    })
  )

  it.effect("whoever is named by that email again is somebody else, also when that is while they are erased", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const user = newPatient()
      const create = createCase(clinic, caseBody(clinic, { user, forceCreate: true }))
      const first = yield* patientOf(clinic, (yield* create).json.data.caseId)
      const [, ...made] = yield* Effect.all([erase(first, true), ...Array.from({ length: 10 }, () => create)], {
        concurrency: "unbounded"
      })
      assert.isTrue(made.every(({ status }) => status === 200 || status === 409))
      const later = yield* patientOf(clinic, (yield* create).json.data.caseId)
      assert.notStrictEqual(later, first)
      // What was created before the erasure is closed by it, and shows nobody.
      yield* until(
        inDatabase((sql) => sql`SELECT FROM cases.cases WHERE user_id = ${first} AND NOT is_archived`),
        ({ length }) => length === 0
      )
      const shown = yield* inDatabase(
        (sql) => sql<{ email: string }>`SELECT email FROM cases.people WHERE id = ${first}`
      )
      assert.deepStrictEqual(shown, [{ email: `erased-${first}@erased.invalid` }])
      const [named] = yield* inDatabase((sql) => sql`SELECT id FROM auth.users WHERE email = ${user.email}`)
      assert.deepStrictEqual(named, { id: later })
    })
  )

  it.effect("without force nobody is erased who has an active case, however many are created at the same time", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const together = { concurrency: "unbounded" } as const
      const patients = yield* Effect.forEach(
        Array.from({ length: 8 }, newPatient),
        Effect.fnUntraced(function* (user) {
          const abandoned = yield* createCase(clinic, caseBody(clinic, { user, status: "ABANDONED" }))
          return { user, userId: yield* patientOf(clinic, abandoned.json.data.caseId) }
        })
      )
      const outcomes = yield* Effect.forEach(
        patients,
        ({ user, userId }, index) => {
          const created = Effect.replicateEffect(
            createCase(clinic, caseBody(clinic, { user, forceCreate: true })),
            3,
            together
          )
          // Whichever comes first.
          const both = [erase(userId), created] as const
          return index % 2 === 0
            ? Effect.map(Effect.all(both, together), ([erased, made]) => ({ userId, erased, made }))
            : Effect.map(Effect.all([created, erase(userId)], together), ([made, erased]) => ({ userId, erased, made }))
        },
        together
      )
      for (const { erased, made, userId } of outcomes) {
        const active = yield* inDatabase(
          (sql) => sql`
            SELECT FROM cases.cases WHERE user_id = ${userId} AND NOT is_archived AND status IN ('OPEN', 'ASSIGNED')
          `
        )
        assert.include([200, 409], erased.status)
        assert.isTrue(made.every(({ status }) => status === 200 || status === 409))
        assert.strictEqual(active.length > 0, erased.status === 409, `${erased.status} with ${active.length} cases`)
      }
    })
  )

  it.effect("wherever it broke off, a job ends it, and another minutes later ends what was under way then", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const { organizationId } = clinic
      const body = caseBody(clinic)
      const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
      yield* createEvent(clinic, caseId)
      const userId = yield* patientOf(clinic, caseId)
      // Before the first step of a service, between two, and in the last: cases' key is destroyed, and its cases are open.
      const broken = ["scheduling.patient_keys", "cases.cases", "payments.saved_methods"]
      yield* inDatabase((sql) =>
        Effect.andThen(
          sql.unsafe(`
            CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken off'; END $$
          `),
          Effect.forEach(broken, (table) =>
            sql.unsafe(`
              CREATE TRIGGER broken BEFORE INSERT OR UPDATE OR DELETE ON ${table}
              FOR EACH STATEMENT EXECUTE FUNCTION broken()
            `)
          )
        )
      )
      const answer = yield* erase(userId, true)
      assert.strictEqual(answer.status, 200)
      assert.sameMembers(answer.json.pending, ["cases", "payments", "scheduling"])
      const keysLeft = inDatabase(
        (sql) => sql`
          SELECT 'scheduling' AS service FROM scheduling.patient_keys WHERE user_id = ${userId} AND wrapped IS NOT NULL
          UNION ALL SELECT 'cases' FROM cases.patient_keys WHERE user_id = ${userId} AND wrapped IS NOT NULL
        `
      )
      const openCases = inDatabase((sql) => sql`SELECT FROM cases.cases WHERE user_id = ${userId} AND NOT is_archived`)
      assert.deepStrictEqual(yield* keysLeft, [{ service: "scheduling" }])
      assert.lengthOf(yield* openCases, 1)

      yield* inDatabase((sql) => sql`DROP FUNCTION broken CASCADE`)
      const waiting = inDatabase(
        (sql) => sql`
          SELECT id, due_at > now() + interval '1 minute' AS "isLater" FROM auth.jobs
          WHERE queue_name = 'patient-erasure' AND organization_id = ${organizationId} AND state IN ('pending', 'running')
        `
      )
      yield* until(waiting, ({ length }) => length === 1)
      assert.deepInclude((yield* waiting)[0], { isLater: true })
      assert.isEmpty(yield* keysLeft)
      assert.isEmpty(yield* openCases)

      // What came in a moment too late: a code to an address that the patient had, and a case that is open.
      yield* inDatabase(
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
      yield* inDatabase((sql) => sql`UPDATE cases.cases SET is_archived = false WHERE user_id = ${userId}`)
      yield* inDatabase(
        (sql) => sql`
          UPDATE auth.jobs SET due_at = now() WHERE queue_name = 'patient-erasure' AND organization_id = ${organizationId}
        `
      )
      yield* until(waiting, ({ length }) => length === 0)
      assert.isEmpty(yield* openCases)
      assert.deepStrictEqual(tablesWith(yield* openEverything, body.user.email), [])
    })
  )

  it.effect("a payment that was not recorded yet is recorded after all, and what is told of it opens for nobody", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const { description, job, mend } = yield* failedPayment(clinic)
      assert.includeMembers(tablesWith(yield* openEverything, description), ["payments.payments", "cases.jobs"])
      for (const { id } of yield* patientsOf(clinic)) assert.strictEqual((yield* erase(id, true)).status, 200)
      yield* mend
      assert.strictEqual((yield* admin("POST", `/jobs/${job.id}/retry`)).status, 200)
      yield* jobsDone("cases", "payment-recording")
      assert.deepStrictEqual(tablesWith(yield* openEverything, description), [])
      const recorded = yield* inDatabase(
        (sql) => sql`SELECT is_prepared FROM payments.payments WHERE organization_id = ${clinic.organizationId}`
      )
      assert.deepStrictEqual(recorded, [{ is_prepared: false }])
    })
  )

  it.effect("what others tell of them later, signed, is kept for nobody to read", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const body = caseBody(clinic)
      const { email } = body.user
      const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
      const orderId: string = (yield* placeOrder(clinic, caseId)).json.data.order.id
      yield* jobsDone("cases", "order-hand-over")
      const userId = yield* patientOf(clinic, caseId)
      assert.strictEqual((yield* book(clinic, bookingBody(email, yield* openSlot(clinic)))).status, 200)
      const meetings = yield* inDatabase(
        (sql) => sql<{ id: string }>`
          SELECT agent_event_id AS id FROM scheduling.calendar_events WHERE user_id = ${userId}
        `
      )
      const api = "https://api.calendly.com"
      const created_at = "2026-08-01T10:00:00.000000Z"
      const moved = (from: string, to: string, text: string) =>
        tell({
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
        return tell({ event: "invitee.canceled", created_at, payload: { ...payload, cancellation } })
      }
      const [first = "", second, third] = [meetings[0]?.id, randomUUID(), randomUUID()].map(
        (id) => `${api}/scheduled_events/${id}`
      )
      const ofOrder = (text: string) =>
        tellOf(orderId, {
          ...{ status: "SHIPPED", message: text, trackingId: text, trackingUrl: `https://ups.example/${text}` },
          shippingLog: { message: text }
        })
      const [early, late] = ["gimpel", "girlitz"]
      assert.strictEqual(yield* ofOrder(early), 200)
      assert.strictEqual((yield* moved(first, second ?? "", early)).status, 200)
      // Of meetings that nobody knows, nothing is kept that an erasure would have to find.
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
  )

  it.effect("an export has nothing of others: of another organization's patient with the same email neither", () =>
    Effect.gen(function* () {
      const user = newPatient()
      const [own, other] = [yield* makeClinic, yield* makeClinic]
      const caseOf = (clinic: Clinic, changes: object, text: string) =>
        Effect.gen(function* () {
          const body = caseBody(clinic, { user, ...changes })
          const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
          const authorUserId = yield* patientOf(clinic, caseId)
          yield* admin("POST", `/cases/${caseId}/comments`, { authorUserId, text, isRestricted: false })
          return [caseId, authorUserId] as const
        })
      const [caseId, userId] = yield* caseOf(own, {}, "of the own")
      const others = [
        ...(yield* caseOf(other, {}, "of the other organization")),
        ...(yield* caseOf(own, { user: newPatient() }, "of another patient"))
      ]
      const text = JSON.stringify((yield* admin("GET", `/users/${userId}/export`)).json)
      for (const found of [user.email, caseId, "of the own"]) assert.include(text, found)
      for (const foreign of [...others, "of the other", "of another", other.organizationId, own.key]) {
        assert.notInclude(text, foreign)
      }
    })
  )
})

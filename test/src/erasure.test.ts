import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { calendarEvent, createEvent } from "./harness/calendar.ts"
import { admin, call } from "./harness/call.ts"
import { jobsDone } from "./harness/database.ts"
import { erase, patientOf, patientsOf, tablesWith } from "./harness/erasures.ts"
import {
  addStaff,
  type Clinic,
  caseBody,
  createCase,
  makeClinic,
  newPatient,
  weightQuestion
} from "./harness/fixtures.ts"
import { untilAllEnded } from "./harness/jobsOf.ts"
import { jsonOf, openEverything, readRows } from "./harness/openEverything.ts"
import { Suite } from "./harness/Suite.ts"
import { signIn } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { writeEverywhere } from "./harness/writeEverywhere.ts"

// The marker in every text about the patient, and in the patient's name.
const secret = "nachtigall"
const lastName = "Rotkehlchen"

testsOn(Suite.layer, "a patient", (it) => {
  it("is exported with all data, and after an erasure nothing can be opened or is shown", function* () {
    const clinic = yield* makeClinic
    const patientData = { ...newPatient(), lastName }
    const { email } = patientData
    const caseId = yield* writeEverywhere(clinic, secret, patientData)
    const patients = yield* patientsOf(clinic)
    assert.lengthOf(patients, 4)
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

    const response = yield* admin("GET", `/users/${patient}/export`)
    assert.strictEqual(response.headers.get("cache-control"), "no-store")
    const exported = response.json
    const { appointments, payments, profile, treatment } = exported
    assert.deepInclude(exported, { organizationId: clinic.organizationId, userId: patient })
    for (const [name, rows] of Object.entries({
      ...{ users: profile.users, cases: treatment.cases, form_responses: treatment.form_responses },
      ...{ comments: treatment.comments, decisions: treatment.decisions, orders: treatment.orders },
      ...{ order_contents: treatment.order_contents, escalations: treatment.escalations },
      ...{ payments: payments.payments, confirmations: payments.payment_confirmations },
      ...{ methods: payments.saved_methods, events: appointments.calendar_events },
      ...{ bookings: appointments.bookings, cancellations: appointments.cancellations }
    })) {
      if (name !== "cases") assert.include(JSON.stringify(rows), secret, name)
      assert.isNotEmpty(rows, name)
    }
    const [first] = treatment.documents
    assert.include(Buffer.from(first.contentBase64, "base64").toString(), secret)
    assert.lengthOf(treatment.documents, 2)
    assert.notInclude(JSON.stringify(exported), "argon2")

    const key = { key: clinic.key }
    for (const { id } of patients) assert.strictEqual((yield* erase(id, true)).status, 200)
    yield* jobsDone("payments", "customer-deletion")
    const after = yield* openEverything
    const contacts = patients.flatMap(({ email, phone_number }) =>
      phone_number === null ? [email] : [email, phone_number]
    )
    for (const mark of [secret, lastName, ...contacts]) assert.deepStrictEqual(tablesWith(after, mark), [], mark)

    // All reads of an erased patient's case. (`call` checks that they are as documented.)
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
    const secondExport = (yield* admin("GET", `/users/${patient}/export`)).json
    assert.notInclude(JSON.stringify(secondExport), secret)
  })

  it("can be erased without effects on others, also on one with the same email in another organization", function* () {
    const [ownClinic, other] = [yield* makeClinic, yield* makeClinic]
    const user = newPatient()
    const writePatient = Effect.fnUntraced(function* (
      clinic: Clinic,
      patientData: ReturnType<typeof newPatient>,
      mark: string
    ) {
      const { key } = clinic
      const form = { title: "Intake", questions: [{ ...weightQuestion, answer: mark }] }
      const body = caseBody(clinic, { user: patientData, products: [{ id: clinic.productId, form }] })
      const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
      yield* call("POST", `/api/v1/cases/${caseId}/payments`, { key, body: { amount: 10, description: mark } })
      yield* createEvent(clinic, caseId, calendarEvent({ title: mark }))
      const data = { email: patientData.email, allergies: mark }
      yield* call("POST", "/api/v1/users", { key, body: { action: "UPDATE_PROFILE", data } })
      yield* signIn(key, patientData.email)
      return yield* patientOf(clinic, caseId)
    })
    const patient = yield* writePatient(ownClinic, user, "dompfaff")
    const others = [
      yield* writePatient(ownClinic, newPatient(), "stieglitz"),
      yield* writePatient(other, user, "stieglitz")
    ]
    // Compares their rows with all decrypted values.
    const standing = Effect.map(readRows, (rows) =>
      rows
        .filter(
          ({ row, table }) =>
            !/[.](?:jobs|audit_\w+|events|case_activity)$/.test(table) && others.some((id) => jsonOf(row).includes(id))
        )
        .map(({ opened, row, table }) => `${table} ${jsonOf([row, opened])}`)
        .sort()
    )
    for (const clinic of [ownClinic, other]) yield* untilAllEnded(clinic)
    const before = yield* standing
    for (const table of ["auth.users", "auth.refresh_token_families", "cases.cases", "cases.people"]) {
      assert.lengthOf(
        before.filter((line) => line.startsWith(`${table} `)),
        2,
        table
      )
    }
    const tables = ["auth.users", "cases.form_responses", "payments.payments", "scheduling.calendar_events"]
    assert.deepStrictEqual(tablesWith(yield* openEverything, "stieglitz"), tables)
    assert.deepStrictEqual(tablesWith(yield* openEverything, "dompfaff"), tables)
    assert.strictEqual((yield* erase(patient, true)).status, 200)
    assert.deepStrictEqual(tablesWith(yield* openEverything, "dompfaff"), [])
    assert.deepStrictEqual(tablesWith(yield* openEverything, "stieglitz"), tables)
    assert.deepStrictEqual(yield* standing, before)
  })

  it("409 with an active case, which `force` closes; 422 for staff; 404 for an unknown user", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const patient = yield* patientOf(clinic, caseId)
    const refused = yield* erase(patient)
    assert.deepInclude(refused.json, { status: 409, title: "The patient has an active case" })
    assert.strictEqual((yield* admin("GET", `/cases/${caseId}`)).json.submitter.firstName, "Maria")
    assert.strictEqual((yield* erase(patient, true)).status, 200)
    assert.isTrue((yield* admin("GET", `/cases/${caseId}`)).json.isArchived)
    const staff = yield* addStaff(clinic)
    assert.strictEqual((yield* erase(staff)).status, 422)
    assert.strictEqual((yield* admin("GET", `/users/${staff}/export`)).status, 422)
    const nobody = "00000000-0000-4000-8000-00000000dead"
    assert.strictEqual((yield* erase(nobody)).status, 404)
    assert.strictEqual((yield* admin("GET", `/users/${nobody}/export`)).status, 404)
    assert.strictEqual((yield* admin("POST", `/users/${patient}/erase`, { force: "yes" })).status, 400)
    assert.strictEqual((yield* erase("no-id")).status, 400)
  })

  it("an export has no data of others, also not of another organization's patient with the same email", function* () {
    const user = newPatient()
    const [ownClinic, other] = [yield* makeClinic, yield* makeClinic]
    const caseOf = (clinic: Clinic, changes: object, text: string) =>
      Effect.gen(function* () {
        const body = caseBody(clinic, { user, ...changes })
        const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
        const authorUserId = yield* patientOf(clinic, caseId)
        yield* admin("POST", `/cases/${caseId}/comments`, { authorUserId, text, isRestricted: false })
        return [caseId, authorUserId] as const
      })
    const [caseId, userId] = yield* caseOf(ownClinic, {}, "of the own")
    const others = [
      ...(yield* caseOf(other, {}, "of the other organization")),
      ...(yield* caseOf(ownClinic, { user: newPatient() }, "of another patient"))
    ]
    const text = JSON.stringify((yield* admin("GET", `/users/${userId}/export`)).json)
    for (const found of [user.email, caseId, "of the own"]) assert.include(text, found)
    for (const foreign of [...others, "of the other", "of another", other.organizationId, ownClinic.key]) {
      assert.notInclude(text, foreign)
    }
  })
})

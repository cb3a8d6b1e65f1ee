import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { saveMethod } from "./harness/saveMethod.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

testsOn(Suite.shared, "finding cases by anything", (it) => {
  const find = ({ organizationId }: Pick<Clinic, "organizationId">, q: string, limit?: number) =>
    admin("POST", "/search", { organizationId, q, limit })
  const found = (clinic: Pick<Clinic, "organizationId">, q: string, limit?: number) =>
    Effect.map(
      find(clinic, q, limit),
      ({ json }): ReadonlyArray<readonly [id: string, match: string]> =>
        json.data.map(({ id, match }: { readonly id: string; readonly match: string }) => [id, match])
    )
  const newCase = (clinic: Clinic, user: object) =>
    Effect.map(
      createCase(clinic, caseBody(clinic, { user: { ...newPatient(), ...user }, forceCreate: true })),
      ({ json }): string => json.data.caseId
    )

  it("200: by each id, short id, email, phone number and name, of the organization alone", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const person = { ...newPatient(), firstName: "Zoë", lastName: "Quill" }
    const caseId = yield* newCase(clinic, person)
    yield* newCase(other, person)
    yield* addStaff(clinic, { firstName: "Zoë", lastName: "Quill", role: "SUPPORT" })
    const placed = (yield* placeOrder(clinic, caseId)).json.data.order
    const [order] = (yield* until(
      admin("GET", `/cases/${caseId}/orders`),
      ({ json }) => json.data[0]?.pharmacyOrderId !== ""
    )).json.data
    yield* saveMethod(clinic, caseId, "pm_card_visa")
    const body = { amount: 49.5, description: "Visit", preauthorize: true }
    const paid = yield* call("POST", `/api/v1/cases/${caseId}/payments`, { key: clinic.key, body })
    const paymentId: string = paid.json.data.result.paymentId
    const { shortId, submitter } = (yield* admin("GET", `/cases/${caseId}`)).json
    yield* until(found(clinic, paymentId), ({ length }) => length > 0)
    for (const [q, match] of [
      [caseId.toUpperCase(), "CASE_ID"],
      [shortId.toLowerCase(), "SHORT_ID"],
      [placed.id, "ORDER_ID"],
      [order.pharmacyOrderId, "PHARMACY_ORDER_ID"],
      [paymentId, "PAYMENT_ID"],
      [submitter.id, "PATIENT_ID"],
      [person.email.toUpperCase(), "EMAIL"],
      [person.phoneNumber, "PHONE_NUMBER"],
      [person.phoneNumber.slice(1), "PHONE_NUMBER"],
      [person.phoneNumber.replace("+1", ""), "PHONE_NUMBER"],
      ["zoë", "NAME"],
      ["ZOË QUILL", "NAME"],
      ["quill", "NAME"],
      ["Quill, Zoë", "NAME"],
      ["qu", "NAME"]
    ] as const) {
      assert.deepStrictEqual(yield* found(clinic, q), [[caseId, match]], q)
    }
    const [summary] = (yield* admin("GET", `/cases?organizationId=${clinic.organizationId}`)).json.data
    assert.deepStrictEqual((yield* find(clinic, caseId)).json, { data: [{ ...summary, match: "CASE_ID" }] })
    for (const q of [caseId, placed.id, paymentId, submitter.id, shortId]) {
      assert.deepStrictEqual(yield* found(other, q), [], q)
    }
    for (const q of ["oë", "Quilla", "qu%", "__", "q_ill", "nobody@example.com", unknownId]) {
      assert.deepStrictEqual(yield* found(clinic, q), [], q)
    }
  })

  it("of a patient the newest cases come first, and at most the limit; who has exactly the name comes first", function* () {
    const clinic = yield* makeClinic
    const anna = { ...newPatient(), firstName: "Anna", lastName: "Berg" }
    const cases = yield* Effect.forEach([1, 2, 3], () => newCase(clinic, anna))
    const annabel = yield* newCase(clinic, { firstName: "Annabel", lastName: "Berg" })
    const newest = cases.toReversed()
    assert.deepStrictEqual(
      (yield* found(clinic, "anna")).map(([id]) => id),
      [...newest, annabel]
    )
    assert.deepStrictEqual(
      (yield* found(clinic, "anna", 2)).map(([id]) => id),
      newest.slice(0, 2)
    )
  })

  it("nobody finds an erased patient by their name or contacts, and a changed name is found at once", function* () {
    const clinic = yield* makeClinic
    const person = { ...newPatient(), firstName: "Élodie", lastName: "Falk" }
    const caseId = yield* newCase(clinic, person)
    const act = { action: "UPDATE_PROFILE", data: { email: person.email, lastName: "Stern" } }
    assert.strictEqual((yield* call("POST", "/api/v1/users", { key: clinic.key, body: act })).status, 200)
    assert.deepStrictEqual(yield* found(clinic, "falk"), [])
    assert.deepStrictEqual(yield* found(clinic, "ÉLODIE stern"), [[caseId, "NAME"]])
    assert.deepStrictEqual(yield* found(clinic, "élodie"), [[caseId, "NAME"]])
    const { submitter } = (yield* admin("GET", `/cases/${caseId}`)).json
    assert.strictEqual((yield* admin("POST", `/users/${submitter.id}/erase`, { force: true })).status, 200)
    for (const q of ["élodie", "stern", person.email, person.phoneNumber])
      assert.deepStrictEqual(yield* found(clinic, q), [], q)
    assert.deepStrictEqual(yield* found(clinic, submitter.id), [[caseId, "PATIENT_ID"]])
  })

  it("what was found is recorded with the patients", function* () {
    const clinic = yield* makeClinic
    const person = { ...newPatient(), firstName: "Uma", lastName: "Reed" }
    const caseId = yield* newCase(clinic, person)
    const requestId = (yield* find(clinic, "uma reed")).headers.get("x-request-id")
    const record = yield* until(
      Effect.map(admin("GET", `/audit?caseId=${caseId}&action=CASE_FOUND`), ({ json }) =>
        json.data.find((each: { readonly requestId: string }) => each.requestId === requestId)
      ),
      (each) => each !== undefined
    )
    assert.deepStrictEqual([record.caseId, record.kinds], [caseId, ["PROFILE", "CASES"]])
  })

  it("400 without an organization, or with less than two characters; an unknown organization has nothing", function* () {
    for (const [body, detail] of [
      [{ q: "maria" }, "organizationId, Required"],
      [{ organizationId: unknownId }, "q, Required"],
      [{ organizationId: unknownId, q: " m " }, "q, must have at least 2 characters"],
      [{ organizationId: unknownId, q: "m".repeat(201) }, "q, must be at most 200 characters long"],
      [{ organizationId: unknownId, q: "maria", limit: 101 }, "limit, must be a value between 1 and 100"]
    ] as const) {
      const { json, status } = yield* admin("POST", "/search", body)
      assert.deepStrictEqual([status, json.detail], [400, detail])
    }
    assert.deepStrictEqual(yield* found({ organizationId: unknownId }, "maria"), [])
  })
})

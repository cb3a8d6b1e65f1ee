import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

testsOn(Suite.shared, "what a refused creation leaves", (it) => {
  const patientsOf = ({ organizationId }: Clinic) =>
    inDatabase(
      "auth",
      (sql) => sql`SELECT first_name, phone_number FROM auth.users WHERE organization_id = ${organizationId}`
    )

  it("eight parallel bodies with one idempotency key make one patient and one case, and no notices about the others", function* () {
    for (let round = 0; round < 3; round += 1) {
      const clinic = yield* makeClinic
      const bodies = Array.from({ length: 8 }, () => caseBody(clinic, { idempotencyKey: "one" }))
      const answers = yield* Effect.forEach(bodies, (body) => createCase(clinic, body), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)])
      const acceptedBody = bodies[answers.findIndex(({ status }) => status === 200)]
      assert.deepStrictEqual(yield* patientsOf(clinic), [
        { first_name: "Maria", phone_number: acceptedBody?.user.phoneNumber }
      ])
    }
  })

  it("of parallel creations for one new patient, the patient has the data of the accepted one", function* () {
    const clinic = yield* makeClinic
    for (let round = 0; round < 20; round += 1) {
      const { email } = newPatient()
      const users = Array.from({ length: 6 }, (_, index) => ({ ...newPatient(), email, firstName: `Maria ${index}` }))
      const answers = yield* Effect.forEach(users, (user) => createCase(clinic, caseBody(clinic, { user })), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
      yield* jobsDone("cases", "patient-completion")
      const winner = answers.findIndex(({ status }) => status === 200)
      const { submitter } = (yield* admin("GET", `/cases/${answers[winner]?.json.data.caseId}`)).json
      const { firstName, phoneNumber } = users[winner] ?? {}
      assert.deepInclude(submitter, { email, firstName, phoneNumber })
    }
  })

  it("a creation that is refused as invalid makes no patient", function* () {
    const clinic = yield* makeClinic
    const unknown = "00000000-0000-4000-8000-000000000000"
    const refused = [
      caseBody(clinic, { products: [{ id: unknown }] }),
      caseBody(clinic, {
        payment: { amount: 1, currency: "XXX", providerReference: { type: "PAYMENT_INTENT", id: "pi_1" } }
      }),
      caseBody(clinic, { user: { ...newPatient(), dob: "2999-01-01" } }),
      caseBody(clinic, { products: [] })
    ]
    for (const body of refused) {
      assert.isAtLeast((yield* createCase(clinic, body)).status, 400)
      assert.deepStrictEqual(yield* patientsOf(clinic), [])
    }
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
    assert.lengthOf(yield* patientsOf(clinic), 1)
  })
})

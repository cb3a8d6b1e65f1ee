import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { call } from "./harness/call.ts"
import { inDatabase, untilLockWaits } from "./harness/database.ts"
import { erase, patientOf, tablesWith } from "./harness/erasures.ts"
import { caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { openEverything } from "./harness/openEverything.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.layer, "a patient who is erased while others act", (it) => {
  it("is erased once by parallel requests, a repeat gets the same answer, and the audit has one record", function* () {
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
      "auth",
      (sql) => sql<{ actor_type: string; request_id: string }>`
          SELECT actor_type, request_uuid::text AS request_id FROM auth.audit_entries
          WHERE user_id = ${patient} AND action = 'PATIENT_ERASED'
          UNION ALL
          SELECT actor_type, request_id FROM auth.audit_waiting
          WHERE user_id = ${patient} AND action = 'PATIENT_ERASED'
        `
    )
    assert.lengthOf(recorded, 1)
    assert.strictEqual(recorded[0]?.actor_type, "OPERATOR")
    assert.include(
      answers.map(({ headers }) => headers.get("x-request-id")),
      recorded[0]?.request_id
    )
  })

  it("parallel changes of a patient take effect before or after the erasure, and both succeed", function* () {
    const clinic = yield* makeClinic
    // Others may wait as well, such as that of the notice about the open case.
    const ownStatements = String.raw`UPDATE (auth\.)?users|patient_keys|FOR UPDATE\s*$`
    for (const [action, isErasedFirst] of [
      ...[["UPDATE_PROFILE", true] as const, ["UPDATE_PROFILE", false] as const],
      ...[["UPDATE_EMAIL", true] as const, ["UPDATE_EMAIL", false] as const]
    ]) {
      const body = caseBody(clinic)
      const { email } = body.user
      const patient = yield* patientOf(clinic, (yield* createCase(clinic, body)).json.data.caseId)
      const data =
        action === "UPDATE_PROFILE" ? { email, allergies: "pollen" } : { currentEmail: email, newEmail: `new.${email}` }
      const erasing = erase(patient, true)
      const changing = call("POST", "/api/v1/users", { key: clinic.key, body: { action, data } })
      // While the patient's row is locked, both requests start to wait for it, one after the other.
      const [first, second] = yield* inDatabase("auth", (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT FROM auth.users WHERE id = ${patient} FOR UPDATE`
            const first = yield* Effect.forkChild(isErasedFirst ? erasing : changing)
            yield* untilLockWaits("auth", 1, ownStatements)
            const second = yield* Effect.forkChild(isErasedFirst ? changing : erasing)
            yield* untilLockWaits("auth", 2, ownStatements)
            return [first, second] as const
          })
        )
      )
      const statuses = [(yield* Fiber.join(first)).status, (yield* Fiber.join(second)).status]
      assert.deepStrictEqual(statuses, isErasedFirst ? [200, 400] : [200, 200], action)
      assert.deepStrictEqual(tablesWith(yield* openEverything, email), [], action)
    }
  })

  it("a case with the email of an erased patient makes a new patient, also during the erasure", function* () {
    const clinic = yield* makeClinic
    const user = newPatient()
    const create = createCase(clinic, caseBody(clinic, { user, forceCreate: true }))
    const first = yield* patientOf(clinic, (yield* create).json.data.caseId)
    const [, ...creations] = yield* Effect.all([erase(first, true), ...Array.from({ length: 10 }, () => create)], {
      concurrency: "unbounded"
    })
    assert.isTrue(creations.every(({ status }) => status === 200 || status === 409))
    const later = yield* patientOf(clinic, (yield* create).json.data.caseId)
    assert.notStrictEqual(later, first)
    // Cases that were created before the erasure are closed by it, and show no identity.
    yield* until(
      inDatabase("cases", (sql) => sql`SELECT FROM cases.cases WHERE user_id = ${first} AND NOT is_archived`),
      ({ length }) => length === 0
    )
    const people = yield* inDatabase(
      "cases",
      (sql) => sql<{ email: string }>`SELECT email FROM cases.people WHERE id = ${first}`
    )
    assert.deepStrictEqual(people, [{ email: `erased-${first}@erased.invalid` }])
    const [named] = yield* inDatabase("auth", (sql) => sql`SELECT id FROM auth.users WHERE email = ${user.email}`)
    assert.deepStrictEqual(named, { id: later })
  })

  it("without `force` a patient with an active case is not erased, also if cases are created at the same time", function* () {
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
        // In either order.
        const both = [erase(userId), created] as const
        return index % 2 === 0
          ? Effect.map(Effect.all(both, together), ([erased, creations]) => ({ userId, erased, creations }))
          : Effect.map(Effect.all([created, erase(userId)], together), ([creations, erased]) => ({
              userId,
              erased,
              creations
            }))
      },
      together
    )
    for (const { erased, creations, userId } of outcomes) {
      const active = yield* inDatabase(
        "cases",
        (sql) => sql`
            SELECT FROM cases.cases WHERE user_id = ${userId} AND NOT is_archived AND status IN ('OPEN', 'ASSIGNED')
          `
      )
      assert.include([200, 409], erased.status)
      assert.isTrue(creations.every(({ status }) => status === 200 || status === 409))
      assert.strictEqual(active.length > 0, erased.status === 409, `${erased.status} with ${active.length} cases`)
    }
  })
})

import { randomUUID } from "node:crypto"
import type { EnrolledPatient, PatientDetails } from "@care/domain/auth"
import { UserId } from "@care/domain/ids"
import { makePatientKeys } from "@care/phi"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { layerBase, makePatient } from "../../../test/layerAuth.ts"
import { makeUsersRepo } from "../users/UsersRepo.ts"
import { Patients } from "./Patients.ts"

const idOf = ({ patient }: EnrolledPatient) => patient.person.id

layer(layerBase, { excludeTestServices: true })("Patients", (it) => {
  it.effect("20 callers enroll a patient under one id: one patient, with this id", () =>
    Effect.gen(function* () {
      const patients = yield* Patients
      for (let round = 0; round < 10; round += 1) {
        const { organizationId, patient } = yield* makePatient
        const id = UserId.make(randomUUID())
        const details = { ...patient, email: `other.${patient.email}`, phoneNumber: undefined }
        const enrolled = yield* Effect.all(
          Array.from({ length: 20 }, () => patients.enroll({ organizationId, newUserId: id, patient: details })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(new Set(enrolled.map(idOf)), new Set([id]))
      }
    })
  )

  it.effect(
    "20 callers enroll one new patient under ids of their own: the one patient for all, whose number is nobody else's",
    () =>
      Effect.gen(function* () {
        const patients = yield* Patients
        const { organizationId, patient } = yield* makePatient
        for (let round = 0; round < 20; round += 1) {
          const phoneNumber = `+1415555${String(2000 + round)}`
          const details = { ...patient, email: `${round}.${patient.email}`, phoneNumber }
          const enrolled = yield* Effect.all(
            Array.from({ length: 20 }, () =>
              patients.enroll({ organizationId, newUserId: UserId.make(randomUUID()), patient: details })
            ),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(new Set(enrolled.map(idOf)).size, 1)
        }
      })
  )

  it.effect("an id whose patient has another email since, or is gone, enrolls another patient", () =>
    Effect.gen(function* () {
      const patients = yield* Patients
      const sql = yield* SqlClient.SqlClient
      const { organizationId, patient, userId } = yield* makePatient
      const details = { ...patient, phoneNumber: undefined }
      const again = patients.enroll({ organizationId, newUserId: userId, patient: details })
      assert.strictEqual(idOf(yield* again), userId)

      yield* sql`UPDATE users SET email = ${`moved.${patient.email}`} WHERE id = ${userId}`
      const second = yield* again
      assert.notStrictEqual(idOf(second), userId)
      assert.strictEqual(idOf(yield* again), idOf(second))

      yield* sql`UPDATE users SET deleted_at = now() WHERE id = ${idOf(second)}`
      const third = yield* patients.enroll({ organizationId, newUserId: idOf(second), patient: details })
      assert.notInclude([userId, idOf(second)], idOf(third))
    })
  )

  it.effect("a login is added once; it takes over that of a deleted user, but not that of a living one", () =>
    Effect.gen(function* () {
      const patients = yield* Patients
      const sql = yield* SqlClient.SqlClient
      const { organizationId, patient, userId } = yield* makePatient
      const details = { ...patient, email: `other.${patient.email}`, phoneNumber: undefined }
      const other = idOf(
        yield* patients.enroll({ organizationId, newUserId: UserId.make(randomUUID()), patient: details })
      )
      yield* sql`
        INSERT INTO credentials (organization_id, login_email, user_id, password_hash, created_at, updated_at)
        VALUES (${organizationId}, ${patient.email}, ${other}, 'theirs', now(), now())
      `
      const loginAfter = Effect.fnUntraced(function* (passwordHash: string) {
        yield* patients.complete({ organizationId, userId, isFirst: true, passwordHash })
        return yield* sql`SELECT user_id, login_email, password_hash FROM credentials WHERE organization_id = ${organizationId}`
      })
      const login = { loginEmail: patient.email, passwordHash: "theirs", userId: other }
      assert.deepStrictEqual(yield* loginAfter("first"), [login])
      yield* sql`UPDATE users SET deleted_at = now() WHERE organization_id = ${organizationId} AND id = ${other}`
      const own = { ...login, passwordHash: "first", userId }
      assert.deepStrictEqual(yield* loginAfter("first"), [own])
      assert.deepStrictEqual(yield* loginAfter("second"), [own])
    })
  )

  it.effect("a record is incomplete as long as it lacks something that the enrollment has", () =>
    Effect.gen(function* () {
      const patients = yield* Patients
      const { organizationId, patient, userId } = yield* makePatient
      const isIncomplete = (details: Partial<PatientDetails>) =>
        Effect.map(
          patients.enroll({ organizationId, newUserId: userId, patient: { ...patient, ...details } }),
          (enrolled) => enrolled.isIncomplete
        )
      const parts: ReadonlyArray<Partial<PatientDetails>> = [
        { dob: "1990-05-01" },
        { gender: "FEMALE" },
        { languagePreferences: ["ENGLISH"] },
        { address: { addressLine1: "1 Main St", city: "Austin", state: "TX", country: "US", postalCode: "78701" } }
      ]
      assert.isFalse(yield* isIncomplete({ firstName: "Maria Elena" }))
      for (const part of parts) {
        assert.isTrue(yield* isIncomplete(part))
        yield* patients.complete({ organizationId, userId, patient: { ...patient, ...part }, isFirst: false })
        assert.isFalse(yield* isIncomplete(part))
      }
    })
  )

  it.effect("a name replaces one that was reported before it, by a case or by the patient", () =>
    Effect.gen(function* () {
      const patients = yield* Patients
      const sql = yield* SqlClient.SqlClient
      const { organizationId, patient, userId } = yield* makePatient
      const names = Effect.map(sql`SELECT first_name, last_name FROM users WHERE id = ${userId}`, ([row]) =>
        Object.values(row ?? {})
      )
      const { firstName, lastName } = patient
      const at = (minute: number) => new Date(Date.UTC(2060, 0, 1, 0, minute))
      const rename = (changed: Partial<PatientDetails>, nameReportedAt?: Date) =>
        patients.complete({
          organizationId,
          userId,
          patient: { ...patient, ...changed },
          isFirst: false,
          ...(nameReportedAt !== undefined && { nameReportedAt })
        })
      yield* rename({ lastName: "Garcia" })
      assert.deepStrictEqual(yield* names, [firstName, lastName])
      yield* rename({ lastName: "Garcia" }, at(2))
      assert.deepStrictEqual(yield* names, [firstName, "Garcia"])
      yield* rename({ lastName: "Late" }, at(1))
      assert.deepStrictEqual(yield* names, [firstName, "Garcia"])
      for (const [lastName, minute] of [
        ["Newest", 3],
        // The same again, as when a job runs twice.
        ["Newest", 3]
      ] as const) {
        yield* rename({ lastName }, at(minute))
        assert.deepStrictEqual(yield* names, [firstName, "Newest"])
      }
      yield* rename({ lastName: "Filled" })
      assert.deepStrictEqual(yield* names, [firstName, "Newest"])

      const users = yield* makeUsersRepo
      const key = yield* (yield* makePatientKeys).of(organizationId, userId)
      const change = (changes: Partial<Record<"lastName" | "city", string>>, minute: number) =>
        users.update(key, organizationId, userId, changes, at(minute))
      yield* change({ lastName: "Of the patient" }, 5)
      yield* rename({ lastName: "Of a case before" }, at(4))
      assert.deepStrictEqual(yield* names, [firstName, "Of the patient"])
      // These do not change the name.
      yield* change({ city: "Oakland" }, 7)
      yield* change({ lastName: "Of the patient" }, 7)
      yield* rename({ lastName: "Of a case since" }, at(6))
      assert.deepStrictEqual(yield* names, [firstName, "Of a case since"])
    })
  )

  const austin = { addressLine1: "1 Main St", city: "Austin", state: "TX", country: "US", postalCode: "78701" }
  const noAddress = { address: null, address2: null, city: null, state: null, country: null, postalCode: null }
  for (const [name, before, address, expected] of [
    ["without an address leaves what the record has of one", { city: "Boston", state: "MA" }, undefined, {}],
    ["of another place leaves what the record has of one", { city: "Boston", state: "MA" }, austin, {}],
    [
      "of the same place fills in what the record lacks",
      { city: "AUSTIN", address2: "Apt 2" },
      austin,
      { address: "1 Main St", state: "TX", country: "US", postalCode: "78701" }
    ],
    ["of a street alone fills it in", { city: "Boston" }, { addressLine1: "1 A St" }, { address: "1 A St" }],
    ["leaves a street that is known", { address: "2 B St" }, austin, {}]
  ] as const) {
    it.effect(`a later case ${name}`, () =>
      Effect.gen(function* () {
        const patients = yield* Patients
        const sql = yield* SqlClient.SqlClient
        const { organizationId, patient, userId } = yield* makePatient
        const details: PatientDetails = { ...patient, ...(address && { address }) }
        yield* sql`UPDATE users SET ${sql.update({ ...before, version: 2 })} WHERE id = ${userId}`
        const { isIncomplete } = yield* patients.enroll({ organizationId, newUserId: userId, patient: details })
        assert.strictEqual(isIncomplete, Object.keys(expected).length > 0)
        yield* patients.complete({ organizationId, userId, patient: details, isFirst: false })
        const [stored] = yield* sql`
          SELECT address, address2, city, state, country, postal_code, address_reported_at IS NOT NULL AS is_reported
          FROM users WHERE id = ${userId}
        `
        assert.deepStrictEqual(stored, { ...noAddress, ...before, ...expected, isReported: isIncomplete })
      })
    )
  }

  it.effect("the details of the first case replace those of a refused intake, unless the record has been changed", () =>
    Effect.gen(function* () {
      const patients = yield* Patients
      const sql = yield* SqlClient.SqlClient
      const { organizationId, patient, userId } = yield* makePatient
      const details: PatientDetails = {
        email: patient.email,
        firstName: "Other",
        lastName: "Name",
        dob: "1990-05-01",
        address: { addressLine1: "1 Main St", city: "Austin", state: "TX", country: "US", postalCode: "78701" }
      }
      const enroll = (newUserId: UserId) => patients.enroll({ organizationId, newUserId, patient: details })
      const read = sql`
        SELECT first_name, last_name, phone_number, dob, gender, city FROM users
        WHERE organization_id = ${organizationId} AND id = ${userId}
      `
      // First the patient's own intake asks again, then another intake.
      assert.isFalse((yield* enroll(userId)).isFresh)
      assert.isTrue((yield* enroll(UserId.make(randomUUID()))).isFresh)
      const complete = (patient: PatientDetails, isFirst: boolean) =>
        patients.complete({ organizationId, userId, patient, isFirst })
      yield* complete(details, true)
      const [first] = yield* read
      assert.deepInclude(first, { firstName: "Other", lastName: "Name", phoneNumber: null, city: "Austin" })
      assert.isFalse((yield* enroll(UserId.make(randomUUID()))).isFresh)
      yield* complete({ ...details, firstName: "Third", gender: "MALE" }, true)
      const [second] = yield* read
      assert.deepStrictEqual(second, { ...first, gender: "MALE" })
      // A record is not fresh once it is old enough.
      const old = yield* makePatient
      yield* sql`UPDATE users SET created_at = created_at - interval '1 hour' WHERE id = ${old.userId}`
      const enrolled = yield* patients.enroll({
        organizationId: old.organizationId,
        newUserId: UserId.make(randomUUID()),
        patient: old.patient
      })
      assert.isFalse(enrolled.isFresh)
    })
  )

  it.effect("patients who are enrolled together are enrolled as if alone, whatever the others' outcomes", () =>
    Effect.gen(function* () {
      const patients = yield* Patients
      const sql = yield* SqlClient.SqlClient
      const { organizationId, patient, userId } = yield* makePatient
      const elsewhere = yield* makePatient
      const staff = yield* makePatient
      yield* sql`UPDATE users SET role = 'SUPPORT' WHERE id = ${staff.userId}`
      const details = (name: string) => ({ ...patient, email: `${name}.${patient.email}`, phoneNumber: undefined })
      const enrollment = (newPatient = details(randomUUID()), newUserId = UserId.make(randomUUID())) => ({
        organizationId,
        newUserId,
        patient: newPatient
      })
      const fresh = enrollment()
      const outcomes = yield* patients.enrollAll([
        fresh,
        enrollment({ ...patient, dob: "1990-05-01" }),
        enrollment({ ...details("other"), phoneNumber: patient.phoneNumber }),
        { ...enrollment(staff.patient), organizationId: staff.organizationId },
        enrollment(fresh.patient),
        enrollment(details("same id"), fresh.newUserId),
        { ...enrollment(patient), organizationId: elsewhere.organizationId }
      ])
      const results = outcomes.map((outcome) =>
        "patient" in outcome ? [outcome.patient.person.email, outcome.isIncomplete] : outcome._tag
      )
      assert.deepStrictEqual(results, [
        [fresh.patient.email, false],
        [patient.email, true],
        "PhoneNumberTaken",
        "EmailOfStaff",
        [fresh.patient.email, false],
        [`same id.${patient.email}`, false],
        [patient.email, false]
      ])
      const ids = outcomes.map((outcome) => ("patient" in outcome ? idOf(outcome) : undefined))
      assert.deepStrictEqual([ids[0], ids[1], ids[4]], [fresh.newUserId, userId, fresh.newUserId])
      assert.strictEqual(new Set(ids).size, 5)
    })
  )

  it.effect("a patient who cannot be stored does not prevent the others from being enrolled", () =>
    Effect.gen(function* () {
      const patients = yield* Patients
      const { organizationId, patient } = yield* makePatient
      const good = {
        organizationId,
        newUserId: UserId.make(randomUUID()),
        patient: { ...patient, email: `good.${patient.email}`, phoneNumber: undefined }
      }
      const unstorable = { ...good.patient, email: `bad.${patient.email}`, dob: "no day" }
      const bad = { ...good, newUserId: UserId.make(randomUUID()), patient: unstorable }
      assert.isTrue(Exit.isFailure(yield* Effect.exit(patients.enrollAll([bad, good]))))
      const [outcome] = yield* patients.enrollAll([good])
      assert.isTrue(outcome !== undefined && "patient" in outcome && idOf(outcome) === good.newUserId)
    })
  )
})

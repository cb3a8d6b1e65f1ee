import { randomUUID } from "node:crypto"
import { MessageId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { ErasureList, makePatientKeys, type PatientRef } from "@care/phi"
import { IdentityTokens } from "@care/service-kit"
import { temporaryFolder, until, whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { issue, issued } from "../../test/codes.ts"
import { layerBase, layerSettings, makePatient } from "../../test/layerAuth.ts"
import { Delivery } from "../messages/Delivery.ts"
import { Patients } from "../people/patients/Patients.ts"
import { OneTimeCodes } from "../signIn/codes/OneTimeCodes.ts"
import { RefreshTokens } from "../signIn/sessions/RefreshTokens.ts"
import { SignIn } from "../signIn/sessions/SignIn.ts"
import { PatientErasures } from "./PatientErasures.ts"
import { patientTables } from "./patientTables.ts"

const TestLayer = Layer.mergeAll(
  Delivery.layer,
  OneTimeCodes.layer,
  PatientErasures.layer,
  RefreshTokens.layer,
  SignIn.layer
).pipe(
  Layer.provide([layerSettings(), IdentityTokens.layer, layerIdleJobs]),
  Layer.provide(Layer.unwrap(Effect.map(temporaryFolder(), ErasureList.layerIn))),
  Layer.provideMerge(layerBase)
)

type Patient = Effect.Success<typeof makePatient>

const sendTo = (to: string) =>
  Effect.fnUntraced(function* ({ organizationId, userId }: Patient) {
    const message = {
      id: MessageId.make(randomUUID()),
      channel: "EMAIL",
      to,
      subject: "Your case",
      text: "Hello"
    } as const
    yield* (yield* Delivery).send({ ...message, organizationId, userId })
  })

const formerEmail = "formerEmail@example.com"

/** Writes of one row about a patient each, with what was read about the patient before. */
const writers: Readonly<
  Record<string, (patient: Patient) => Effect.Effect<unknown, unknown, Layer.Success<typeof TestLayer>>>
> = {
  "a message to the address that was looked up": (patient) => sendTo(patient.patient.email)(patient),
  "a message to the address before that": sendTo(formerEmail),
  "a code": ({ organizationId, patient }) => issue(organizationId, patient.email),
  "a login": Effect.fnUntraced(function* ({ organizationId, userId }) {
    yield* (yield* Patients).complete({ organizationId, userId, isFirst: true, passwordHash: "hash" })
  }),
  "a session": Effect.fnUntraced(function* ({ organizationId, userId }) {
    yield* (yield* RefreshTokens).start(organizationId, userId)
  })
}

layer(TestLayer, { excludeTestServices: true })("rows that are stored about a patient during their erasure", (it) => {
  const erase = ({ organizationId, userId }: PatientRef) =>
    Effect.flatMap(PatientErasures, ({ eraseOwn }) => eraseOwn({ organizationId, userId }))

  // All rows of the patient, except the one in `users`.
  const storedOf = Effect.fnUntraced(function* ({ organizationId, userId }: PatientRef) {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* Effect.forEach(patientTables, ({ table }) =>
      table === "users"
        ? Effect.succeed([])
        : sql`SELECT * FROM ${sql(table)} WHERE organization_id = ${organizationId} AND user_id = ${userId}`
    )
    return rows.flat()
  })

  const untilOneWaits = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    until(
      sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ({ length }) => length === 1
    )
  )

  for (const [name, write] of Object.entries(writers)) {
    it.effect(`${name} that waits for the erasure is not stored`, () =>
      Effect.gen(function* () {
        const other = yield* makePatient
        yield* write(other)
        assert.lengthOf(yield* storedOf(other), 1)
        const patient = yield* makePatient
        yield* whileHeld(erase(patient), [Effect.exit(write(patient))])
        assert.deepStrictEqual(yield* storedOf(patient), [])
        assert.lengthOf(yield* storedOf(other), 1)
      })
    )

    it.effect(`${name} that the erasure waits for is removed`, () =>
      Effect.gen(function* () {
        const patient = yield* makePatient
        const written = Effect.gen(function* () {
          yield* write(patient)
          assert.lengthOf(yield* storedOf(patient), 1)
        })
        yield* whileHeld(written, [erase(patient)])
        assert.deepStrictEqual(yield* storedOf(patient), [])
      })
    )
  }

  it.effect("a sign-in with the right code during the erasure is refused, without a deadlock", () =>
    Effect.gen(function* () {
      const signIn = yield* SignIn
      const sql = yield* SqlClient.SqlClient
      const patient = yield* makePatient
      const { organizationId, userId } = patient
      const { email } = patient.patient
      const code = yield* issued(organizationId, email)
      const hasBegun = yield* Deferred.make<void>()
      const erasing = Effect.gen(function* () {
        yield* sql`SELECT FROM users WHERE organization_id = ${organizationId} AND id = ${userId} FOR UPDATE`
        yield* Deferred.succeed(hasBegun, undefined)
        yield* untilOneWaits
        yield* erase(patient)
      })
      const verified = signIn.verifyCode(organizationId, { email }, code)
      const refused = Effect.flip(Effect.andThen(Deferred.await(hasBegun), verified))
      const [refusal] = yield* Effect.all([refused, sql.withTransaction(erasing)], { concurrency: "unbounded" })
      assert.strictEqual(refusal._tag, "CredentialsInvalid")
      assert.deepStrictEqual(yield* storedOf(patient), [])
    })
  )

  it.effect("a change of a profile locks the key before the user, as the erasure does, without a deadlock", () =>
    Effect.gen(function* () {
      const keys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient
      const patient = yield* makePatient
      const { organizationId, userId } = patient
      const hasBegun = yield* Deferred.make<void>()
      const changing = Effect.gen(function* () {
        yield* keys.of(organizationId, userId)
        yield* Deferred.succeed(hasBegun, undefined)
        yield* untilOneWaits
        yield* sql`UPDATE users SET allergies = 'sealed' WHERE organization_id = ${organizationId} AND id = ${userId}`
      })
      const erased = Effect.andThen(Deferred.await(hasBegun), erase(patient))
      yield* Effect.all([sql.withTransaction(changing), erased], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        yield* sql`SELECT allergies FROM users WHERE organization_id = ${organizationId} AND id = ${userId}`,
        [{ allergies: null }]
      )
    })
  )
})

import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, UserId } from "@care/domain/ids"
import { Job, makeJobPayloads } from "@care/jobs"
import { layerIdleJobs } from "@care/jobs/testing"
import { ClaimRow, Once, onceOperation } from "@care/once"
import {
  erasedText,
  makePatientKeys,
  makePhiKeys,
  makePhiKeysRepo,
  newPatientKey,
  PhiCipher,
  type StoredPatientKey,
  sealed,
  sealedRow,
  sealedRowsOf,
  unwrapPatientKey
} from "@care/phi"
import { layerTestCipherWith, makePhiKey } from "@care/phi/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ownSealedTables } from "./ownSealedTables.ts"

const [k1, k2] = [makePhiKey("k1"), makePhiKey("k2")]
const [before, during, after] = [[k1], [k2, k1], [k2]].map((keys) => layerTestCipherWith(...keys))

class Reminders extends Job.make<Reminders>()("reminder", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, text: Schema.String }),
  retries: Job.upTo(1),
  concurrency: 1
}) {}

const greeting = onceOperation({ name: "greet", version: 1, ids: {}, answer: Schema.Struct({ text: Schema.String }) })

const NoteRow = sealedRow("notes", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: Schema.String,
  text: sealed(Schema.String, erasedText)
})

const organizationId = OrganizationId.make(randomUUID())
const patients = Array.from({ length: 1200 }, () => UserId.make(randomUUID()))
const withCipher =
  (cipher = before) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, cipher ?? assert.fail(), { local: true })

// Counts what each key seals, page by page.
const keysOf = Effect.gen(function* () {
  const { list } = yield* makePhiKeys(ownSealedTables)
  let page = yield* list(undefined, 1000)
  let counted = page.keys
  while (page.next !== null) {
    const { keys, next } = yield* list(page.next, 1000)
    counted = counted.map((key, index) => ({ ...key, rows: key.rows + (keys[index]?.rows ?? 0) }))
    page = { keys, next }
  }
  return counted
})

const rotateFrom = (from?: string) => Effect.flatMap(makePhiKeys(ownSealedTables), ({ rotate }) => rotate(from))

// Rotates to the end. Returns the number of rows that were sealed anew.
const rotateAll = Effect.gen(function* () {
  let [step, rotated] = [yield* rotateFrom(), 0]
  rotated += step.rotated
  while (step.next !== null) {
    step = yield* rotateFrom(step.next)
    rotated += step.rotated
  }
  return rotated
})

const answerOf = (key: string) =>
  Effect.flatMap(Once, (once) =>
    once.run(greeting, { organizationId, key, body: {} }, () => Effect.succeed(Effect.succeed({ text: key })))
  ).pipe(Effect.provide(Once.layer))

const offer = (text: string) =>
  Effect.flatMap(Reminders, (jobs) => jobs.offer({ organizationId, text })).pipe(
    Effect.provide(Reminders.layer.pipe(Layer.provide(layerIdleJobs)))
  )

const seal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const notes = yield* sealedRowsOf(NoteRow)
  yield* sql`CREATE TABLE notes (organization_id uuid, id uuid PRIMARY KEY, text text)`
  const keys = patients.map((userId) => newPatientKey(cipher, organizationId, userId))
  yield* sql`INSERT INTO patient_keys ${sql.insert(keys)}`
  const noteOf = (key: StoredPatientKey) =>
    notes.seal(unwrapPatientKey(cipher, key), { organizationId, id: key.userId, text: `of ${key.userId}` })
  yield* sql`INSERT INTO notes ${sql.insert(keys.map(noteOf))}`
  yield* offer("first")
  yield* answerOf("first")
})

// Opens everything that was sealed, and counts it.
const openAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const notes = yield* sealedRowsOf(NoteRow)
  const payloads = yield* makeJobPayloads
  const opened = yield* notes.all(sql`SELECT organization_id, id, text FROM notes`)
  const jobs = yield* sql<{
    id: string
    queueName: string
    payload: Uint8Array
  }>`SELECT id, queue_name, payload FROM jobs`
  yield* Effect.forEach(jobs, ({ id, payload, queueName }) => payloads.open(queueName, id, payload))
  const answers = yield* (yield* sealedRowsOf(ClaimRow)).all(sql`
    SELECT *, false AS is_leased, true AS is_answered FROM idempotency_keys
  `)
  return { notes: opened.length, jobs: jobs.length, answers: answers.length }
})

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("the rotation of PHI_KEY", (it) => {
  it.effect("starts again after an interruption, while others write, and leaves nothing under the old key", () =>
    Effect.gen(function* () {
      yield* withCipher(before)(seal)
      // With a job, an answer, and the secret that hashes idempotency keys.
      const all = patients.length + 3
      assert.deepStrictEqual(yield* withCipher(during)(keysOf), [
        { keyId: "k2", isSealing: true, rows: 0 },
        { keyId: "k1", isSealing: false, rows: all }
      ])
      const step = yield* withCipher(during)(rotateFrom())
      assert.deepInclude(step, { checked: 1000, rotated: 1000 })
      assert.isNotNull(step.next)
      assert.strictEqual((yield* withCipher(during)(keysOf))[1]?.rows, all - 1000)

      // Starts again from the beginning. Meanwhile a process that was not restarted writes with the old key.
      const writes = Effect.forEach(["a", "b", "c"], (key) => Effect.andThen(answerOf(key), offer(key)))
      const [rotated] = yield* Effect.all([withCipher(during)(rotateAll), withCipher(before)(writes)], {
        concurrency: "unbounded"
      })
      assert.isAtLeast(rotated, all - 1000)
      yield* withCipher(during)(rotateAll)
      assert.strictEqual((yield* withCipher(during)(keysOf))[1]?.rows, 0)
      assert.strictEqual(yield* withCipher(during)(rotateAll), 0)

      const opened = { notes: patients.length, jobs: 4, answers: 4 }
      assert.deepStrictEqual(yield* withCipher(during)(openAll), opened)
      assert.deepStrictEqual(yield* withCipher(during)(answerOf("first")), { text: "first" })
      assert.deepStrictEqual(yield* withCipher(after)(openAll), opened)
      // A request that was stored under the old key cannot be compared, so its answer is not used.
      const refused = yield* Effect.flip(withCipher(after)(answerOf("first")))
      assert.include("reason" in refused ? refused.reason : "", "cannot be compared any more")
    })
  )

  it.effect("does not replace a row that was written or destroyed since it was read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const userId = UserId.make(randomUUID())
      const [table = assert.fail()] = ownSealedTables
      const value = Effect.gen(function* () {
        const keys = yield* makePatientKeys
        yield* keys.of(organizationId, userId)
        const repo = yield* makePhiKeysRepo
        const page = yield* repo.page(table, null, "k2", 5000)
        const row = page.find(({ rowKey }) => rowKey["userId"] === userId) ?? assert.fail("It is not there")
        assert.isNotNull(row.value)
        yield* keys.destroy(organizationId, userId, new Date())
        const cipher = yield* PhiCipher
        return yield* repo.replace(table, row, cipher.seal("another", "place"))
      })
      assert.isFalse(yield* withCipher(before)(value))
      assert.deepStrictEqual(yield* sql`SELECT wrapped FROM patient_keys WHERE user_id = ${userId}`, [
        { wrapped: null }
      ])
    })
  )
})

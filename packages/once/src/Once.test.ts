import { randomUUID } from "node:crypto"
import { IdempotencyConflict, QuotaReached } from "@care/domain/http"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { layerTestCipherWith, makePhiKey } from "@care/phi/testing"
import { Quotas } from "@care/service-kit"
import { changedClock, layerTestDatabase, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Cause, Clock, Data, Deferred, Duration, Effect, Exit, Fiber, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Once, type OnceRequest } from "./Once.ts"
import { onceOperation } from "./onceOperation.ts"

const layerOnce = (...keys: ReadonlyArray<string>) =>
  Layer.fresh(Once.layer).pipe(Layer.provide(layerTestCipherWith(...keys)))

const key = makePhiKey("k1")

/** The table that the operations of these tests change. */
const layerNotes = Layer.effectDiscard(
  SqlClient.SqlClient.use((sql) => sql`CREATE TABLE notes (id uuid PRIMARY KEY, request text, note text)`)
)

// The organizations that have reached their quota of stored answers.
const full = new Set<string>()
const layerFull = Layer.succeed(Quotas, {
  isReached: (organizationId, kind) => kind === "KEPT_ANSWERS" && full.has(organizationId),
  reached: Effect.succeed([]),
  of: () => Effect.succeed([]),
  recountSoon: () => Effect.void
})

const TestLayer = Layer.merge(Layer.provide(layerOnce(key), layerFull), layerNotes).pipe(
  Layer.provideMerge(layerTestDatabase("cases"))
)

class Refused extends Data.TaggedError("Refused") {}

const Note = Schema.Struct({ id: CaseId, note: Schema.String, madeAt: Schema.Date })
const noteTaking = onceOperation({
  name: "takeNote",
  version: 1,
  ids: { noteId: CaseId, authorId: UserId },
  answer: Note
})
const note = (id: CaseId) => ({ id, note: "Allergic to penicillin", madeAt: new Date(7) })

let requests = 0
const makeRequest = (changes: Partial<OnceRequest> = {}) => {
  requests += 1
  return {
    organizationId: OrganizationId.make(randomUUID()),
    key: `key ${requests}`,
    body: { note: "first" },
    ...changes
  }
}
type Request = ReturnType<typeof makeRequest>

const takeNote = (request: OnceRequest, id: CaseId) =>
  SqlClient.SqlClient.use((sql) => sql`INSERT INTO notes ${sql.insert({ id, request: request.key, note: "" })}`).pipe(
    Effect.as(note(id)),
    Effect.orDie
  )

/** Takes a note once, after `asking`, the calls to other services before the change. */
const run = <E, R>(request: OnceRequest, asking: Effect.Effect<unknown, E, R>) =>
  Once.use((once) => once.run(noteTaking, request, ({ noteId }) => Effect.as(asking, takeNote(request, noteId))))

const notesOf = ({ key }: Request) =>
  SqlClient.SqlClient.use((sql) => sql<{ id: CaseId }>`SELECT id FROM notes WHERE request = ${key}`)

const keptOf = ({ organizationId }: Request) =>
  SqlClient.SqlClient.use(
    (sql) =>
      sql<{
        bodyHash: string
        answer: string | null
        ids: { noteId: CaseId }
        leasedUntil: Date
      }>`SELECT body_hash, answer, ids, leased_until FROM idempotency_keys WHERE organization_id = ${organizationId}`
  )

/** Expires the lease of a key, as if its process had been killed a while ago. */
const abandon = ({ organizationId }: Request) =>
  SqlClient.SqlClient.use(
    (sql) =>
      sql`UPDATE idempotency_keys SET holder = gen_random_uuid(), leased_until = to_timestamp(0) WHERE organization_id = ${organizationId}`
  )

/** Begins work on a request that runs until `end`. */
const beginWork = Effect.fnUntraced(function* (request: OnceRequest, end: Effect.Effect<unknown>) {
  const started = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkChild(run(request, Effect.andThen(Deferred.succeed(started, undefined), end)))
  yield* Deferred.await(started)
  return fiber
})

const reasonOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error instanceof IdempotencyConflict ? error.reason : ""))

layer(TestLayer, { excludeTestServices: true })("Once", (it) => {
  it.effect("20 requests with one key: one change, and the same answer for all, also later", () =>
    Effect.gen(function* () {
      const request = makeRequest()
      const slow = run(request, Effect.sleep("5 millis"))
      const answers = yield* Effect.replicateEffect(slow, 20, { concurrency: "unbounded" })
      const later = yield* run(request, Effect.die("is not done again"))
      for (const answer of answers) assert.deepStrictEqual(answer, later)
      assert.deepStrictEqual(yield* notesOf(request), [{ id: later.id }])
    })
  )

  it.effect(
    "a repeated request whose claim and rows are lost gets its lasting ids again; with used ids, another body or key others",
    () =>
      Effect.gen(function* () {
        const lasting = onceOperation({
          ...{ name: "lasting", version: 1, lastingIds: ["noteId"], ids: { noteId: CaseId, authorId: UserId } },
          answer: Schema.Struct({ noteId: CaseId, authorId: UserId })
        })
        const sql = yield* SqlClient.SqlClient
        const request = makeRequest()
        const used = new Set<CaseId>()
        const ids = ({ organizationId, ...changes }: OnceRequest) =>
          Effect.flatMap(Once, (once) =>
            once.run(lasting, { organizationId, ...changes }, (ids) => Effect.succeed(Effect.succeed(ids)), {
              isUsed: ({ noteId }) => Effect.succeed(used.has(noteId))
            })
          )
        const lose = sql`DELETE FROM idempotency_keys WHERE organization_id = ${request.organizationId}`
        const first = yield* ids(request)
        yield* lose
        const second = yield* ids(request)
        assert.strictEqual(second.noteId, first.noteId)
        assert.match(first.noteId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        assert.notStrictEqual(second.authorId, first.authorId)
        used.add(first.noteId)
        assert.deepStrictEqual(yield* ids(request), second)
        yield* lose
        const others = [
          yield* ids(request),
          yield* ids({ ...request, key: `${request.key} again` }),
          yield* ids({ ...request, organizationId: OrganizationId.make(randomUUID()) }),
          yield* ids({ ...request, key: undefined })
        ]
        yield* lose
        others.push(yield* ids({ ...request, body: { note: "second" } }))
        assert.strictEqual(new Set([first, ...others].map(({ noteId }) => noteId)).size, 6)
      })
  )

  it.effect("an organization at its quota is refused new keys, and answered under known keys and without a key", () =>
    Effect.gen(function* () {
      const request = makeRequest()
      const first = yield* run(request, Effect.void)
      const abandoned = makeRequest({ organizationId: request.organizationId })
      yield* Effect.exit(run(abandoned, Effect.die("its process dies")))
      full.add(request.organizationId)
      const other = makeRequest({ organizationId: request.organizationId })
      const refused = yield* Effect.exit(run(other, Effect.void))
      assert.isTrue(Exit.isFailure(refused) && Cause.squash(refused.cause) instanceof QuotaReached)
      // The answers of the first two requests.
      assert.lengthOf(yield* keptOf(other), 2)
      assert.lengthOf(yield* notesOf(other), 0)
      assert.deepStrictEqual(yield* run(request, Effect.die("is not done again")), first)
      yield* run(abandoned, Effect.void)
      assert.lengthOf(yield* notesOf(abandoned), 1)
      yield* Effect.flatMap(Once, (once) =>
        once.run(noteTaking, { ...other, key: undefined }, ({ noteId }) => Effect.succeed(takeNote(other, noteId)))
      )
      assert.lengthOf(yield* notesOf(other), 1)
      yield* run(makeRequest(), Effect.void)
      full.delete(request.organizationId)
      yield* run(other, Effect.void)
      assert.lengthOf(yield* keptOf(other), 3)
    })
  )

  it.effect("an operation that `exceedsQuota` is done, and its answer is kept, at the quota", () =>
    Effect.gen(function* () {
      const once = yield* Once
      const calling = onceOperation({ name: "callOff", version: 1, exceedsQuota: true, ids: {}, answer: Schema.String })
      const request = makeRequest()
      full.add(request.organizationId)
      let done = 0
      const callOff = once.run(calling, request, () =>
        Effect.sync(() => {
          done += 1
          return Effect.succeed("called off")
        })
      )
      const answers = yield* Effect.replicateEffect(callOff, 20, { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(answers), new Set(["called off"]))
      assert.strictEqual(done, 1)
      assert.lengthOf(yield* keptOf(request), 1)
      full.delete(request.organizationId)
    })
  )

  it.effect("a key belongs to its organization and operation", () =>
    Effect.gen(function* () {
      const request = makeRequest()
      const elsewhere = { ...request, organizationId: OrganizationId.make(randomUUID()), body: "other" }
      const ids = [yield* run(request, Effect.void), yield* run(elsewhere, Effect.void)].map(({ id }) => id)
      const once = yield* Once
      const other = onceOperation({ name: "other", version: 1, ids: {}, answer: Schema.String })
      assert.strictEqual(
        yield* once.run(other, { ...request, body: "other" }, () => Effect.succeed(Effect.succeed("done"))),
        "done"
      )
      assert.strictEqual(new Set(ids).size, 2)
    })
  )

  it.effect("the same key with another body is a conflict while it is answered, in progress or abandoned", () =>
    Effect.gen(function* () {
      const request = makeRequest()
      const other = Effect.suspend(() => reasonOf(run({ ...request, body: { note: "second" } }, Effect.void)))
      const reason = "The idempotency key was used with another body."
      const gate = yield* Deferred.make<void>()
      const first = yield* beginWork(request, Deferred.await(gate))
      assert.strictEqual(yield* other, reason)
      yield* abandon(request)
      assert.strictEqual(yield* other, reason)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      assert.strictEqual(yield* other, reason)
    })
  )

  it.effect("no request holds a connection while it calls other services or waits for another request", () =>
    Effect.gen(function* () {
      // Six times as many requests as connections, all at the same time, and as many repeats that wait for them.
      const sql = yield* SqlClient.SqlClient
      const all = Array.from({ length: 30 }, () => makeRequest())
      const areAtWork = yield* Deferred.make<void>()
      let atWork = 0
      const asking = Effect.gen(function* () {
        atWork += 1
        if (atWork === all.length) yield* Deferred.succeed(areAtWork, undefined)
        yield* Deferred.await(areAtWork)
        yield* sql`SELECT 1`
      })
      const answers = yield* Effect.forEach([...all, ...all], (request) => run(request, asking), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(answers.map(({ id }) => id)).size, all.length)
    })
  )

  it.effect("a refusal frees the key, also for another body, and changes nothing", () =>
    Effect.gen(function* () {
      const once = yield* Once
      const request = makeRequest()
      const early = run(request, Effect.fail(new Refused()))
      const late = once.run(noteTaking, request, ({ noteId }) =>
        Effect.succeed(Effect.andThen(takeNote(request, noteId), Effect.fail(new Refused())))
      )
      for (const refused of [early, late]) {
        assert.strictEqual((yield* Effect.flip(refused))._tag, "Refused")
        assert.deepStrictEqual([yield* keptOf(request), yield* notesOf(request)], [[], []])
      }
      yield* run({ ...request, body: { note: "second" } }, Effect.void)
    })
  )

  it.effect("a change that dies is rolled back, and the next request makes it with the same ids", () =>
    Effect.gen(function* () {
      const once = yield* Once
      const sql = yield* SqlClient.SqlClient
      const request = makeRequest()
      const seen: Array<string> = []
      for (const defect of [Effect.die("broken"), Effect.orDie(sql`SELECT 1 / 0`)]) {
        const broken = once.run(noteTaking, request, ({ noteId }) => {
          seen.push(noteId)
          return Effect.succeed(Effect.andThen(takeNote(request, noteId), Effect.andThen(defect, Effect.never)))
        })
        assert.isTrue(Exit.hasDies(yield* Effect.exit(broken)))
        assert.deepStrictEqual(yield* notesOf(request), [])
      }
      const { id } = yield* run(request, Effect.void)
      assert.deepStrictEqual([...seen, id], [id, id, id])
    })
  )

  it.effect("the key of a killed process is taken over with the same ids, by one of 20 requests", () =>
    Effect.gen(function* () {
      const request = makeRequest()
      const killed = yield* beginWork(request, Effect.never)
      yield* abandon(request)
      const [storedKey] = yield* keptOf(request)
      let atWork = 0
      const asking = Effect.suspend(() => {
        atWork += 1
        return Effect.sleep("5 millis")
      })
      const answers = yield* Effect.replicateEffect(run(request, asking), 20, { concurrency: "unbounded" })
      assert.strictEqual(atWork, 1)
      const ids = new Set(answers.map(({ id }) => id))
      assert.deepStrictEqual([...ids], [storedKey?.ids.noteId])
      assert.deepStrictEqual(
        (yield* notesOf(request)).map(({ id }) => id),
        [...ids]
      )
      yield* Fiber.interrupt(killed)
    })
  )

  it.effect("a request that lost its lease changes nothing, and gets the answer of the one that took over", () =>
    Effect.gen(function* () {
      const once = yield* Once
      const request = makeRequest()
      // Each would make its own note, so only the transaction can prevent the second.
      const slow = (isAtWork: Deferred.Deferred<void>, gate: Deferred.Deferred<void>, isRefused: boolean) =>
        once.run(noteTaking, request, () =>
          Effect.gen(function* () {
            yield* Deferred.succeed(isAtWork, undefined)
            yield* Deferred.await(gate)
            if (isRefused) return yield* new Refused()
            return takeNote(request, CaseId.make(randomUUID()))
          })
        )
      const gate = yield* Deferred.make<void>()
      const late = yield* Effect.forEach([false, true], (isRefused) =>
        Effect.gen(function* () {
          const isAtWork = yield* Deferred.make<void>()
          const fiber = yield* Effect.forkChild(slow(isAtWork, gate, isRefused))
          yield* Deferred.await(isAtWork)
          yield* abandon(request)
          return fiber
        })
      )
      const answer = yield* run(request, Effect.void)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of late) assert.deepStrictEqual(yield* Fiber.join(fiber), answer)
      assert.deepStrictEqual(yield* notesOf(request), [{ id: answer.id }])
    })
  )

  it.effect("an interrupted request changes nothing, and a repeat takes over immediately", () =>
    Effect.gen(function* () {
      const once = yield* Once
      const request = makeRequest()
      const isAtWork = yield* Deferred.make<void>()
      const atWork = Effect.andThen(Deferred.succeed(isAtWork, undefined), Effect.never)
      const hungUp = yield* Effect.forkChild(
        once.run(noteTaking, request, ({ noteId }) => Effect.succeed(Effect.andThen(takeNote(request, noteId), atWork)))
      )
      yield* Deferred.await(isAtWork)
      const [storedKey] = yield* keptOf(request)
      yield* Fiber.interrupt(hungUp)
      assert.deepStrictEqual(yield* notesOf(request), [])
      const { id } = yield* run(request, Effect.void).pipe(Effect.timeout("5 seconds"))
      assert.strictEqual(id, storedKey?.ids.noteId)
    })
  )

  it.effect("a repeat may be refused, and the key stays used", () =>
    Effect.gen(function* () {
      const once = yield* Once
      const request = makeRequest()
      yield* run(request, Effect.void)
      const refuseReplay = once.run(noteTaking, request, () => Effect.succeed(Effect.die("is not done again")), {
        replayed: () => Effect.fail(new IdempotencyConflict({ reason: "It has ended." }))
      })
      assert.strictEqual(yield* reasonOf(refuseReplay), "It has ended.")
      assert.strictEqual((yield* keptOf(request)).length, 1)
    })
  )

  it.effect("without a key each request is done, and nothing is kept", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = yield* sql`SELECT count(*) FROM idempotency_keys`
      const request = { ...makeRequest(), key: undefined }
      const answers = [yield* run(request, Effect.void), yield* run(request, Effect.void)]
      assert.strictEqual(new Set(answers.map(({ id }) => id)).size, 2)
      assert.deepStrictEqual(yield* sql`SELECT count(*) FROM idempotency_keys`, before)
    })
  )

  it.effect("a stored key shows neither body nor answer, and its hash needs PHI_KEY", () =>
    Effect.gen(function* () {
      const once = yield* Once
      const sql = yield* SqlClient.SqlClient
      const request = makeRequest({ body: { answer: "Yes" } })
      const answer = yield* run(request, Effect.void)
      const rows = yield* keptOf(request)
      assert.strictEqual(rows[0]?.answer?.slice(0, 3), "k1:")
      assert.notInclude(JSON.stringify(rows), answer.note)
      // The same body has another hash with another PHI_KEY or idempotency key.
      yield* sql`DELETE FROM idempotency_keys WHERE organization_id = ${request.organizationId}`
      yield* sql`DELETE FROM notes WHERE request = ${request.key}`
      // The other PHI_KEY has its own sealed secret.
      const [secret] = yield* sql<{ secret: string }>`DELETE FROM idempotency_secrets RETURNING secret`
      yield* run(request, Effect.void).pipe(Effect.provide(layerOnce(makePhiKey("k1"))))
      yield* sql`UPDATE idempotency_secrets SET secret = ${secret?.secret ?? ""}`
      const second = makeRequest({ body: request.body })
      yield* once.run(noteTaking, second, ({ noteId }) => Effect.succeed(takeNote(second, noteId)))
      const hashes = [...rows, ...(yield* keptOf(request)), ...(yield* keptOf(second))].map((row) => row.bodyHash)
      assert.strictEqual(new Set(hashes).size, 3)
    })
  )

  it.effect("an answer opens under its own key only: under another it is a defect", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [request, other] = [makeRequest(), makeRequest()]
      yield* run(request, Effect.void)
      yield* run(other, Effect.void)
      yield* sql`
        UPDATE idempotency_keys SET answer = (
          SELECT answer FROM idempotency_keys WHERE organization_id = ${other.organizationId}
        ) WHERE organization_id = ${request.organizationId}
      `
      const exit = yield* Effect.exit(run(request, Effect.die("again")))
      assert.include(
        String(Exit.isFailure(exit) && Cause.squash(exit.cause)),
        "idempotency_keys.answer does not open with the key k1"
      )
    })
  )

  it.effect("a key is stored as a hash, and is recognized with its body after a rotation of PHI_KEY", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const request = makeRequest({ key: "of Rumpelstilzchen" })
      const stored = Effect.map(
        sql<{ key: string }>`SELECT key FROM idempotency_keys WHERE organization_id = ${request.organizationId}`,
        (rows) => rows.map((row) => row.key)
      )
      const answer = yield* run(request, Effect.void)
      const [firstKey, ...others] = yield* stored
      assert.match(firstKey ?? "", /^hmac:[\w-]{43}$/)
      assert.deepStrictEqual(others, [])
      const rotated = layerOnce(makePhiKey("k2"), key)
      assert.deepStrictEqual(yield* run(request, Effect.die("again")).pipe(Effect.provide(rotated)), answer)
      const other = run({ ...request, body: "other" }, Effect.void).pipe(Effect.provide(rotated))
      assert.strictEqual(yield* reasonOf(other), "The idempotency key was used with another body.")
      yield* run(makeRequest({ ...request, organizationId: OrganizationId.make(randomUUID()) }), Effect.void)
      assert.deepStrictEqual(yield* stored, [firstKey])
    })
  )

  it.effect("an answer of an older version is a conflict", () =>
    Effect.gen(function* () {
      const once = yield* Once
      const request = makeRequest()
      yield* run(request, Effect.void)
      const next = onceOperation({ name: noteTaking.name, version: 2, ids: {}, answer: Note })
      assert.include(
        yield* reasonOf(once.run(next, request, () => Effect.succeed(Effect.die("is not done again")))),
        "after an update"
      )
    })
  )
})

layer(TestLayer)("Once, as time passes", (it) => {
  it.effect("a repeat of a request in progress is a conflict after 10 seconds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const request = makeRequest()
      yield* beginWork(request, Effect.never)
      yield* sql`UPDATE idempotency_keys SET leased_until = to_timestamp(3600) WHERE organization_id = ${request.organizationId}`
      const waiting = yield* Effect.forkChild(reasonOf(run(request, Effect.void)))
      let seconds = 0
      while (waiting.pollUnsafe() === undefined) {
        yield* TestClock.adjust("1 second")
        seconds += 1
        // Lets real time pass for the statements.
        yield* sql`SELECT pg_sleep(0.02)`
      }
      assert.include(yield* Fiber.join(waiting), "still in progress")
      assert.isAtLeast(seconds, 10)
    })
  )

  it.effect("a request renews its lease while it works", () =>
    Effect.gen(function* () {
      const request = makeRequest()
      const time = yield* Clock.Clock
      let sleeps = 0
      const clock = changedClock({
        millis: () => time.currentTimeMillisUnsafe(),
        sleep: (duration) => {
          // A schedule also sleeps for no time at all.
          if (Duration.isPositive(duration)) sleeps += 1
          return time.sleep(duration)
        }
      })
      yield* Effect.provideService(beginWork(request, Effect.never), Clock.Clock, clock)
      const lease = Effect.map(keptOf(request), ([storedKey]) => storedKey?.leasedUntil.getTime() ?? 0)
      for (let round = 0; round < 5; round += 1) {
        const before = yield* lease
        yield* until(
          Effect.sync(() => sleeps),
          (count) => count > round
        )
        yield* TestClock.adjust("2 seconds")
        yield* until(lease, (leasedUntil) => leasedUntil > before)
      }
    })
  )
})

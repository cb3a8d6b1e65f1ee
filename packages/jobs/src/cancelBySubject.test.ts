import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { layerTestDatabase, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Logger, Schema } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import * as Job from "./Job.ts"
import { layerQuickJobs } from "./testing/layerQuickJobs.ts"

const lines: Array<string> = []
const layerLines = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])

const TestLayer = layerQuickJobs.pipe(
  Layer.provideMerge(layerTestDatabase("cases")),
  Layer.provide(layerTestCipher),
  Layer.provideMerge(layerLines)
)

const schema = Schema.Struct({ organizationId: OrganizationId, thing: Schema.String })
const options = { version: 1, schema, retries: Job.upTo(5), concurrency: 1 } as const

class Reminders extends Job.make<Reminders>()("reminder", { ...options, cancelledWith: ({ thing }) => thing }) {}
class Letters extends Job.make<Letters>()("letter", { ...options, cancelledWith: ({ thing }) => thing }) {}
class Receipts extends Job.make<Receipts>()("receipt", options) {}

const Queues = Layer.mergeAll(Reminders.layer, Letters.layer, Receipts.layer).pipe(Layer.provideMerge(TestLayer))

layer(Queues, { excludeTestServices: true })("the jobs about something that has ended", (it) => {
  const newThing = () => ({ organizationId: OrganizationId.make(randomUUID()), thing: randomUUID() })
  type Thing = ReturnType<typeof newThing>

  const offerAll = Effect.fnUntraced(function* (thing: Thing) {
    for (const queue of [yield* Reminders, yield* Letters, yield* Receipts]) yield* queue.offer(thing)
  })
  const cancel = ({ organizationId, thing }: Thing) =>
    Effect.flatMap(Job.makeCancelBySubject, (cancelBySubject) => cancelBySubject(organizationId, thing))
  const statesOf = Effect.fnUntraced(function* ({ organizationId }: Thing) {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ queueName: string; state: string; payload: unknown; endedAt: Date | null }>`
      SELECT queue_name, state, payload, ended_at FROM jobs WHERE organization_id = ${organizationId}
    `
    for (const { endedAt, payload, state } of rows) {
      assert.deepStrictEqual([payload === null, endedAt !== null], [state !== "pending", state !== "pending"])
    }
    return Object.fromEntries(rows.map(({ queueName, state }) => [queueName, state]))
  })
  const stateOf = ({ organizationId }: Thing) =>
    SqlClient.SqlClient.use(
      (sql) => sql<{ state: string }>`SELECT state FROM jobs WHERE organization_id = ${organizationId}`
    ).pipe(Effect.map(([row]) => row?.state))

  const waiting = { reminder: "pending", letter: "pending", receipt: "pending" }
  const countOf = (queue: string) =>
    Effect.map(PrometheusMetrics.format(), (text) =>
      Number(new RegExp(`jobs_cancelled_total\\{queue="${queue}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
    )

  it.effect("are cancelled when they are pending, of every kind with `cancelledWith`, and no others are", () =>
    Effect.gen(function* () {
      const [ended, other] = [newThing(), newThing()]
      const foreign = { ...newThing(), thing: ended.thing }
      for (const thing of [ended, other, foreign]) yield* offerAll(thing)
      const before = yield* countOf("letter")
      yield* cancel(ended)
      assert.deepStrictEqual(yield* statesOf(ended), {
        reminder: "cancelled",
        letter: "cancelled",
        receipt: "pending"
      })
      for (const thing of [other, foreign]) assert.deepStrictEqual(yield* statesOf(thing), waiting)
      assert.strictEqual(yield* countOf("letter"), before + 1)
      yield* cancel(ended)
      assert.strictEqual(yield* countOf("letter"), before + 1)
    })
  )

  it.effect("stay pending, and are not counted, when the transaction rolls back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const thing = newThing()
      yield* offerAll(thing)
      const before = yield* countOf("reminder")
      yield* Effect.flip(sql.withTransaction(Effect.andThen(cancel(thing), Effect.fail("no"))))
      assert.deepStrictEqual(yield* statesOf(thing), waiting)
      assert.strictEqual(yield* countOf("reminder"), before)
      yield* sql`DELETE FROM jobs`
    })
  )

  it.effect("a running job goes on, and is cancelled and not retried if it fails with `JobCancelled`", () =>
    Effect.gen(function* () {
      const thing = newThing()
      const [started, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const worker = Reminders.worker(
        Effect.succeed(() =>
          Effect.gen(function* () {
            yield* Deferred.succeed(started, undefined)
            yield* Deferred.await(goOn)
            return yield* new Job.JobCancelled({ reason: "The thing has ended" })
          })
        )
      )
      const before = yield* countOf("reminder")
      yield* Effect.gen(function* () {
        yield* Effect.flatMap(Reminders, ({ offer }) => offer(thing))
        yield* Deferred.await(started)
        yield* cancel(thing)
        assert.strictEqual(yield* stateOf(thing), "running")
        yield* Deferred.succeed(goOn, undefined)
        yield* until(stateOf(thing), (state) => state !== "running")
      }).pipe(Effect.provide(worker))
      assert.deepStrictEqual(yield* statesOf(thing), { reminder: "cancelled" })
      assert.strictEqual(yield* countOf("reminder"), before + 1)
      const cancelled = lines.filter((line) => line.includes("Job cancelled: The thing has ended"))
      assert.lengthOf(cancelled, 1)
      assert.include(cancelled[0], '"INFO"')
      assert.isEmpty(lines.filter((line) => line.includes("Job failed")))
    })
  )
})

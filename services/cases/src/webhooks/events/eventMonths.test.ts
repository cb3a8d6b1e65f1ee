import { randomUUID } from "node:crypto"
import { monthAfter, monthOf } from "@care/domain/audit/AuditMonth"
import { OrganizationId } from "@care/domain/ids"
import { inTransaction, removeOldRows } from "@care/service-kit"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Data, Deferred, Effect, Exit, Metric, Option } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import partitionEvents from "../../../migrations/0035_partition_events.ts"
import { makeDeliveryGauges } from "../deliveries/makeDeliveryGauges.ts"
import { oldDeliveries } from "../deliveries/oldDeliveries.ts"
import { makeEventsRepo } from "./EventsRepo.ts"
import { keepEventMonths } from "./eventMonths.ts"

const day = 86_400_000

class RolledBack extends Data.TaggedError("RolledBack") {}

layer(layerTestDatabase("cases", 10))("the months of events", (it) => {
  /** The end of the table of version 1, which is the first partition. */
  const firstEnd = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ until: Date }>`
      SELECT substring(pg_get_constraintdef(oid) from '''(.*)''')::timestamptz AS until FROM pg_constraint
      WHERE conrelid = 'events'::regclass AND conname = 'events_until'
    `
    return row?.until ?? new Date(Number.NaN)
  })

  const partitions = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ name: string }>`
      SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'monthly_events'::regclass AND relname ~ '\\d' ORDER BY relname
    `
    return rows.map(({ name }) => name)
  })

  const place = (organizationId: string, createdAt: number, table = "monthly_events") =>
    SqlClient.SqlClient.use(
      (sql) => sql`
        INSERT INTO ${sql(table)} (organization_id, id, position, type, is_test, at, data, created_at)
        VALUES (${organizationId}, ${randomUUID()}, nextval('event_positions'), 'case.closed', false, now(), '{}', ${new Date(createdAt)})
      `
    )

  const deliver = (organizationId: string, status: "PENDING" | "DELIVERED") =>
    SqlClient.SqlClient.use(
      (sql) => sql`
        INSERT INTO webhook_deliveries (
          organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left, next_attempt_at,
          created_at
        )
        SELECT organization_id, gen_random_uuid(), ${randomUUID()}::uuid, id, type, id, position, ${status}, 0, 10,
               CASE ${status} WHEN 'PENDING' THEN now() END, created_at
        FROM monthly_events WHERE organization_id = ${organizationId}
      `
    )

  /** Does work in a transaction, and rolls it back. */
  const rolledBack = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.flip(inTransaction(sql)(Effect.andThen(work, new RolledBack())))
    })

  it.effect("are added long before they are needed, and an event of each is found in its order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { after } = yield* makeEventsRepo
      const end = yield* firstEnd
      assert.isAbove(end.getTime(), Date.now() + 59 * day)
      assert.deepStrictEqual(yield* partitions, [])
      yield* TestClock.setTime(end.getTime() - day)
      // Several processes, of which some may fail.
      yield* Effect.all(
        Array.from({ length: 5 }, () => Effect.exit(keepEventMonths)),
        { concurrency: "unbounded" }
      )
      yield* keepEventMonths
      const first = monthOf(end)
      assert.deepStrictEqual(yield* partitions, [`events_${first}`, `events_${monthAfter(first)}`])

      const organizationId = OrganizationId.make(randomUUID())
      const times = [
        end.getTime() - 40 * day,
        end.getTime() - 1,
        end.getTime(),
        end.getTime() + 35 * day,
        end.getTime() + 400 * day
      ]
      for (const time of times) yield* place(organizationId, time)
      const found = sql<{ table: string }>`
        SELECT tableoid::regclass::text AS table FROM monthly_events WHERE organization_id = ${organizationId} ORDER BY position
      `
      assert.deepStrictEqual(
        (yield* found).map(({ table }) => table),
        ["events", "events", `events_${first}`, `events_${monthAfter(first)}`, "events_default"]
      )
      const listed = yield* after(organizationId, Option.none(), "0", 10)
      const ordered = sql<{
        id: string
      }>`SELECT id FROM monthly_events WHERE organization_id = ${organizationId} ORDER BY position`
      assert.deepStrictEqual(
        listed.map(({ id }) => id),
        (yield* ordered).map(({ id }) => id)
      )
      for (const wrong of [202600, 202613, 1]) {
        const refused = yield* Effect.flip(sql`CALL add_events_month(${wrong})`)
        assert.deepInclude(refused.reason.cause, { code: "P0001" })
      }
    })
  )

  it.effect("of a process of version 1 are in its table, which both versions read and write until the end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = OrganizationId.make(randomUUID())
      yield* place(organizationId, Date.now(), "events")
      yield* place(organizationId, Date.now(), "monthly_events")
      for (const table of ["events", "monthly_events"]) {
        assert.lengthOf(yield* sql`SELECT FROM ${sql(table)} WHERE organization_id = ${organizationId}`, 2)
      }
    })
  )

  it.effect("are the same after a migration that was killed before it was noted, and is run again", () =>
    Effect.gen(function* () {
      const before = [yield* firstEnd, yield* partitions]
      yield* partitionEvents.change
      assert.deepStrictEqual([yield* firstEnd, yield* partitions], before)
    })
  )

  it.effect(
    "are dropped one after the other, 30 days after their end, and none before its deliveries or the table of version 1",
    () =>
      Effect.gen(function* () {
        const end = yield* firstEnd
        const first = monthOf(end)
        yield* TestClock.setTime(end.getTime() + 32 * day)
        yield* keepEventMonths
        const months = [0, 1, 2].map((index) => monthAfter(first, index))
        const startOf = (month: number) => Date.UTC(Math.floor(month / 100), (month % 100) - 1)
        const waits = [
          ...months.flatMap((month) => [[month, "PENDING"] as const, [month, "DELIVERED"] as const]),
          undefined
        ]
        for (const waiting of waits) {
          for (const oldDays of [-1, 0, 29, 30, 60, 90, 120, 500]) {
            yield* rolledBack(
              Effect.gen(function* () {
                for (const month of months) {
                  const organizationId = randomUUID()
                  yield* place(organizationId, startOf(monthAfter(month)) - 1)
                  if (waiting?.[0] === month) yield* deliver(organizationId, waiting[1])
                }
                const now = startOf(monthAfter(first)) + oldDays * day
                yield* TestClock.setTime(now)
                yield* keepEventMonths
                const isLeft = (month: number) =>
                  startOf(monthAfter(month)) + 30 * day > now || (waiting !== undefined && waiting[0] <= month)
                const left = yield* partitions
                assert.deepStrictEqual(
                  months.filter((month) => left.includes(`events_${month}`)),
                  months.filter(isLeft),
                  `${waiting} ${oldDays}`
                )
              })
            )
          }
        }
        const sql = yield* SqlClient.SqlClient
        assert.lengthOf(yield* sql`SELECT FROM pg_inherits WHERE inhrelid = 'events'::regclass`, 1)
      })
  )

  it.effect("are not dropped while somebody reads them, which takes a second at most, nor by a process that dies", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const end = yield* firstEnd
      const part = `events_${monthOf(end)}`
      yield* TestClock.setTime(end.getTime() - day)
      yield* keepEventMonths
      yield* TestClock.setTime(end.getTime() + 100 * day)
      const isReading = yield* Deferred.make<void>()
      const isTried = yield* Deferred.make<void>()
      const reading = inTransaction(sql)(
        sql`SELECT FROM ${sql(part)}`.pipe(
          Effect.andThen(Deferred.succeed(isReading, undefined)),
          Effect.andThen(Deferred.await(isTried))
        )
      )
      const trying = Deferred.await(isReading).pipe(
        Effect.andThen(Effect.exit(keepEventMonths)),
        Effect.ensuring(Deferred.succeed(isTried, undefined))
      )
      const [, tried] = yield* Effect.all([reading, trying], { concurrency: "unbounded" })
      assert.isTrue(Exit.isFailure(tried))
      assert.include(yield* partitions, part)
      // A process that dies during the work has changed nothing.
      const killed = Effect.andThen(keepEventMonths, sql`SELECT pg_terminate_backend(pg_backend_pid())`)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(inTransaction(sql)(killed))))
      assert.include(yield* partitions, part)
      yield* keepEventMonths
      assert.notInclude(yield* partitions, part)
    })
  )

  it.effect("of which one could not be prepared are counted, leave when they are old, and delay no later month", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM events_default`
      const scrape = Effect.andThen(Effect.flatten(makeDeliveryGauges), PrometheusMetrics.format()).pipe(
        Effect.provideService(Metric.MetricRegistry, new Map())
      )
      const gauge = (count: number) => `default_partition_rows{table="events"} ${count}`
      assert.include(yield* scrape, gauge(0))
      const [month, at] = [203503, Date.UTC(2035, 2, 15)]
      yield* place(randomUUID(), at)
      assert.include(yield* scrape, gauge(1))
      yield* TestClock.setTime(at + day)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(keepEventMonths)))
      assert.includeMembers(yield* partitions, [`events_${monthAfter(month)}`, `events_${monthAfter(month, 2)}`])
      yield* TestClock.setTime(at + 30 * day - 1)
      yield* removeOldRows(oldDeliveries)
      assert.include(yield* scrape, gauge(1))
      yield* TestClock.setTime(at + 30 * day)
      yield* removeOldRows(oldDeliveries)
      assert.include(yield* scrape, gauge(0))
    })
  )
})

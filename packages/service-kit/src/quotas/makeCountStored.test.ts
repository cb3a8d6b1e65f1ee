import { randomUUID } from "node:crypto"
import type { StoredKind } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, DateTime, Duration, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { readsOf } from "../testing/readsOf.ts"
import { until } from "../testing/until.ts"
import { layerQuotas } from "./layerQuotas.ts"
import { makeCountStored } from "./makeCountStored.ts"
import { makeStoredAmountsRepo } from "./makeStoredAmountsRepo.ts"
import { Quotas, type StoredRows } from "./Quotas.ts"

const things: StoredRows = { kind: "EVENTS", table: "things", since: "stored_at" }
const files: StoredRows = { kind: "DOCUMENTS", table: "things", since: "stored_at", bytes: "size" }
const allowed = new Map<StoredKind, number>([
  ["EVENTS", 100],
  // More than an integer of the database has room for.
  ["DOCUMENTS", 100 * 1024 ** 3]
])

layer(layerTestDatabase("cases"))("makeCountStored", (it) => {
  const prepare = Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 0, 1))
    const sql = yield* SqlClient.SqlClient
    yield* sql`DROP VIEW IF EXISTS refusing_things`
    yield* sql`DROP TABLE IF EXISTS things`
    yield* sql`DELETE FROM stored_counts`
    yield* sql`DELETE FROM stored_amounts`
    yield* sql`
      CREATE TABLE things (
        organization_id uuid NOT NULL, id uuid DEFAULT gen_random_uuid(), stored_at timestamptz NOT NULL, size integer NOT NULL,
        PRIMARY KEY (organization_id, id)
      )
    `
    yield* sql`CREATE INDEX ON things (stored_at)`
    const repo = yield* makeStoredAmountsRepo
    const organizationId = OrganizationId.make(randomUUID())
    const store = (count: number, owner = organizationId) =>
      Effect.flatMap(
        DateTime.nowAsDate,
        (now) => sql`
          INSERT INTO things (organization_id, stored_at, size)
          SELECT ${owner}, ${now}, 3 FROM generate_series(1, ${count}::integer)
        `
      )
    const amounts = Effect.map(repo.amountsOf(organizationId), (all) =>
      Object.fromEntries(all.map(({ amount, kind }) => [kind, amount]))
    )
    const reached = Effect.map(repo.reached(allowed), (all) => all.map(({ organizationId }) => organizationId))
    return { amounts, count: yield* makeCountStored([things, files], allowed), organizationId, reached, sql, store }
  })

  it.effect("counts the new rows of each organization once, also in parallel", () =>
    Effect.gen(function* () {
      const { amounts, count, reached, store } = yield* prepare
      yield* store(5)
      yield* store(200, OrganizationId.make(randomUUID()))
      yield* TestClock.adjust("11 seconds")
      const other = yield* makeCountStored([things, files], allowed)
      yield* Effect.all([count, other, count, other], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* amounts, { EVENTS: 5, DOCUMENTS: 15 })
      assert.lengthOf(yield* reached, 1)
      yield* store(2)
      yield* count
      assert.deepStrictEqual(yield* amounts, { EVENTS: 5, DOCUMENTS: 15 })
      yield* TestClock.adjust("11 seconds")
      yield* count
      yield* count
      assert.deepStrictEqual(yield* amounts, { EVENTS: 7, DOCUMENTS: 21 })
    })
  )

  it.effect("removed rows are noticed after a day, or after a minute if a quota is reached", () =>
    Effect.gen(function* () {
      const { amounts, count, organizationId, reached, sql, store } = yield* prepare
      yield* store(90)
      yield* TestClock.adjust("11 seconds")
      yield* count
      yield* sql`DELETE FROM things WHERE organization_id = ${organizationId} AND id IN (SELECT id FROM things LIMIT 40)`
      yield* TestClock.adjust("2 minutes")
      yield* store(40)
      yield* TestClock.adjust("11 seconds")
      yield* count
      // With the removed rows the events would exceed their quota, so they are counted in full now, and the bytes after a day.
      assert.deepStrictEqual(yield* amounts, { EVENTS: 90, DOCUMENTS: 390 })
      assert.deepStrictEqual(yield* reached, [])
      yield* sql`DELETE FROM things WHERE organization_id = ${organizationId}`
      yield* store(1)
      yield* TestClock.adjust("1 day")
      yield* store(2)
      yield* TestClock.adjust("5 seconds")
      yield* count
      assert.deepStrictEqual(yield* amounts, { EVENTS: 1, DOCUMENTS: 3 })
      yield* TestClock.adjust("10 seconds")
      yield* count
      assert.deepStrictEqual(yield* amounts, { EVENTS: 3, DOCUMENTS: 9 })
    })
  )

  it.effect("rows that are too old to count are noticed after a day, also while they are stored", () =>
    Effect.gen(function* () {
      const { amounts, store } = yield* prepare
      const count = yield* makeCountStored([{ ...things, age: Duration.days(30) }], allowed)
      yield* store(5)
      yield* TestClock.adjust("29 days")
      yield* store(2)
      yield* TestClock.adjust("11 seconds")
      yield* count
      assert.deepStrictEqual(yield* amounts, { EVENTS: 7 })
      yield* TestClock.adjust("2 days")
      yield* count
      assert.deepStrictEqual(yield* amounts, { EVENTS: 2 })
    })
  )

  it.effect("rows with an old time are counted after `recountSoon`", () =>
    Effect.gen(function* () {
      const { amounts, count, organizationId, sql } = yield* prepare
      yield* count
      yield* sql`INSERT INTO things (organization_id, stored_at, size) SELECT ${organizationId}, to_timestamp(9), 1`
      yield* TestClock.adjust("11 seconds")
      yield* count
      assert.deepStrictEqual(yield* amounts, {})
      const repo = yield* makeStoredAmountsRepo
      yield* repo.recountSoon(organizationId, "EVENTS")
      yield* count
      assert.deepStrictEqual(yield* amounts, { EVENTS: 1 })
    })
  )

  it.effect(
    "rows of a sandbox, whose clock is ahead, are counted after `recountSoon`, and those of the moment once",
    () =>
      Effect.gen(function* () {
        const { amounts, count, organizationId, sql, store } = yield* prepare
        yield* count
        yield* sql`
        INSERT INTO things (organization_id, stored_at, size) SELECT ${organizationId}, to_timestamp(4e9), 1 FROM generate_series(1, 3)
      `
        yield* store(2)
        const repo = yield* makeStoredAmountsRepo
        yield* repo.recountSoon(organizationId, "EVENTS")
        yield* count
        assert.deepStrictEqual(yield* amounts, { EVENTS: 3 })
        yield* TestClock.adjust("11 seconds")
        yield* count
        assert.strictEqual((yield* amounts)["EVENTS"], 5)
      })
  )

  /** Makes a view of the rows in which counting fails for refused organizations. */
  const makeRefusing = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DROP TABLE IF EXISTS refused`
    yield* sql`CREATE TABLE refused (organization_id uuid PRIMARY KEY)`
    yield* sql`
      CREATE OR REPLACE FUNCTION is_counted(id uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        IF EXISTS (SELECT FROM refused WHERE organization_id = id) THEN RAISE 'not counted'; END IF;
        RETURN true;
      END
      $$
    `
    yield* sql`CREATE VIEW refusing_things AS SELECT * FROM things WHERE is_counted(organization_id)`
    return {
      refuse: (id: OrganizationId) => sql`INSERT INTO refused VALUES (${id})`,
      relent: sql`DELETE FROM refused`
    }
  })

  it.effect("a kind that cannot be counted delays no other, and is counted later", () =>
    Effect.gen(function* () {
      const { amounts, organizationId, store } = yield* prepare
      const { refuse, relent } = yield* makeRefusing
      const count = yield* makeCountStored([{ ...things, table: "refusing_things" }, files], allowed)
      yield* refuse(organizationId)
      yield* store(5)
      yield* TestClock.adjust("11 seconds")
      yield* count
      assert.deepStrictEqual(yield* amounts, { DOCUMENTS: 15 })
      yield* relent
      yield* count
      assert.deepStrictEqual(yield* amounts, { EVENTS: 5, DOCUMENTS: 15 })
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("an amount whose full count fails is postponed, and the next ones are counted", () =>
    Effect.gen(function* () {
      const { amounts, organizationId, sql, store } = yield* prepare
      const { refuse, relent } = yield* makeRefusing
      const [usual, reached] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
      const count = yield* makeCountStored([{ ...things, table: "refusing_things" }], allowed)
      yield* store(5)
      yield* store(5, usual)
      yield* store(200, reached)
      yield* TestClock.adjust("11 seconds")
      yield* count
      yield* sql`DELETE FROM things WHERE organization_id = ${organizationId}`
      yield* TestClock.adjust("25 hours")
      yield* sql`UPDATE stored_amounts SET recounted_at = to_timestamp(1) WHERE organization_id = ${usual}`
      yield* refuse(usual)
      yield* refuse(reached)
      yield* Effect.replicateEffect(count, 3)
      assert.deepStrictEqual(yield* amounts, { EVENTS: 0 })
      yield* sql`DELETE FROM things WHERE organization_id = ${usual} OR organization_id = ${reached}`
      yield* relent
      yield* count
      assert.lengthOf(yield* sql`SELECT FROM stored_amounts WHERE amount >= 5`, 2)
      yield* TestClock.adjust("10 minutes")
      yield* TestClock.adjust("1 second")
      yield* count
      assert.lengthOf(yield* sql`SELECT FROM stored_amounts WHERE amount >= 5`, 0)
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("amounts at their quota are counted before older counts", () =>
    Effect.gen(function* () {
      const { count, reached, sql, store } = yield* prepare
      for (let other = 0; other < 15; other += 1) yield* store(1, OrganizationId.make(randomUUID()))
      yield* store(100)
      yield* TestClock.adjust("11 seconds")
      yield* count
      yield* sql`UPDATE stored_amounts SET recounted_at = to_timestamp(1) WHERE amount < 100`
      assert.lengthOf(yield* reached, 1)
      yield* sql`DELETE FROM things`
      yield* TestClock.adjust("2 minutes")
      yield* count
      assert.deepStrictEqual(yield* reached, [])
    })
  )

  it.effect("reads only the rows that were stored since the last count", () =>
    Effect.gen(function* () {
      const { count, sql, store } = yield* prepare
      yield* store(20_000)
      yield* sql`VACUUM ANALYZE things`
      yield* TestClock.adjust("11 seconds")
      yield* count
      yield* store(50)
      yield* TestClock.adjust("11 seconds")
      assert.isBelow(yield* readsOf(["things"], count), 1000)
    })
  )
})

layer(layerTestDatabase("cases"), { excludeTestServices: true })("layerQuotas", (it) => {
  it.effect("reached quotas are known, also while nothing can be counted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [full, refused] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
      yield* sql`
        INSERT INTO stored_amounts (organization_id, kind, amount, recounted_at)
        VALUES (${full}, 'EVENTS', 4, now()), (${refused}, 'EVENTS', 0, to_timestamp(0))
      `
      const context = yield* Layer.build(layerQuotas([{ kind: "EVENTS", table: "no_such_table", since: "stored_at" }]))
      const quotas = Context.get(context, Quotas)
      yield* until(
        Effect.sync(() => quotas.isReached(full, "EVENTS")),
        (isReached) => isReached
      )
      assert.isFalse(quotas.isReached(refused, "EVENTS"))
    }).pipe(
      Effect.scoped,
      Effect.provide([Logger.layer([]), ConfigProvider.layer(ConfigProvider.fromUnknown({ QUOTA_EVENTS: "3" }))])
    )
  )
})

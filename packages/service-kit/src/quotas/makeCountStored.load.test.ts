import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { makeCountStored } from "./makeCountStored.ts"
import { makeStoredAmountsRepo } from "./makeStoredAmountsRepo.ts"

layer(layerTestDatabase("cases"))("makeCountStored with many rows", (it) => {
  it.effect("rows before the first count are added piece by piece, and a failure keeps what was added", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE things (organization_id uuid NOT NULL, stored_at timestamptz NOT NULL, size integer)`
      const organizationId = OrganizationId.make(randomUUID())
      // 100 rows of each millisecond. The last ones cannot be added.
      yield* sql`
        INSERT INTO things (organization_id, stored_at, size)
        SELECT ${organizationId}, to_timestamp(1700000000 + floor(number / 100) / 1000), 1
        FROM generate_series(0, 219999) AS number
      `
      yield* sql`CREATE INDEX ON things (stored_at)`
      yield* sql`CREATE VIEW broken_things AS SELECT organization_id, stored_at, 1 / size AS size FROM things`
      yield* sql`UPDATE things SET size = 0 WHERE stored_at >= to_timestamp(1700000002.1)`
      const repo = yield* makeStoredAmountsRepo
      const amount = Effect.map(repo.amountsOf(organizationId), ([stored]) => stored?.amount)
      const stored = { kind: "DOCUMENTS", table: "broken_things", since: "stored_at", bytes: "size" } as const
      const count = yield* makeCountStored([stored], new Map([["DOCUMENTS", 1e9]]))
      yield* count
      assert.strictEqual(yield* amount, 200_000)
      yield* sql`UPDATE things SET size = 1 WHERE size = 0`
      yield* count
      assert.strictEqual(yield* amount, 220_000)
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("all rows of one millisecond are added together", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE moments (organization_id uuid NOT NULL, stored_at timestamptz NOT NULL)`
      const organizationId = OrganizationId.make(randomUUID())
      yield* sql`
        INSERT INTO moments (organization_id, stored_at)
        SELECT ${organizationId}, to_timestamp(1700000000) FROM generate_series(1, 150000)
      `
      yield* sql`CREATE INDEX ON moments (stored_at)`
      const count = yield* makeCountStored(
        [{ kind: "EVENTS", table: "moments", since: "stored_at" }],
        new Map([["EVENTS", 1e9]])
      )
      yield* count
      const repo = yield* makeStoredAmountsRepo
      assert.deepStrictEqual(yield* repo.amountsOf(organizationId), [{ kind: "EVENTS", amount: 150_000 }])
    })
  )
})

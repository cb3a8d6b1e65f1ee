import { randomUUID } from "node:crypto"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import renameTestEvents from "../../../migrations/0055_rename_test_events.ts"

const old = "webhook.test"
const kept = "webhook.endpoint.disabled"

// More than the migration renames at a time.
const count = 2500

layer(layerTestDatabase("cases"), { excludeTestServices: true })("the migration that renames test events", (it) => {
  const store = Effect.fnUntraced(function* (organizationId: string, type: string, rows: number) {
    const sql = yield* SqlClient.SqlClient
    const row = sql`${organizationId}::uuid AS organization_id, gen_random_uuid() AS id, ${type}::text AS type`
    const numbers = sql`FROM generate_series(1, ${rows}::int) AS n`
    yield* sql`INSERT INTO own_events (organization_id, id, type, at, data) SELECT ${row}, now(), '{}' ${numbers}`
    yield* sql`
      WITH stored AS (
        INSERT INTO monthly_events (organization_id, id, type, position, is_test, at, data, created_at)
        SELECT ${row}, nextval('event_positions'), false, now(), '{}', now() ${numbers}
        RETURNING *
      )
      INSERT INTO webhook_deliveries (
        organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left, created_at
      )
      SELECT organization_id, gen_random_uuid(), ${randomUUID()}::uuid, id, type, id, position, 'DELIVERED', 1, 0, created_at
      FROM stored
    `
  })

  const addEndpoint = (organizationId: string, eventTypes: ReadonlyArray<string> | null) =>
    SqlClient.SqlClient.use(
      (sql) => sql`
        INSERT INTO webhook_endpoints (
          organization_id, id, url, event_types, includes_test_cases, is_enabled, secret, created_at, updated_at
        ) VALUES (${organizationId}, ${randomUUID()}, '', ${eventTypes}, false, true, '', now(), now())
      `
    )

  const typesOf = Effect.fnUntraced(function* (organizationId: string) {
    const sql = yield* SqlClient.SqlClient
    const typesIn = (table: string, column: string) => sql<{ type: string; rows: number }>`
      SELECT ${sql(column)} AS type, count(*)::int AS rows FROM ${sql(table)}
      WHERE organization_id = ${organizationId} GROUP BY 1 ORDER BY 1
    `
    const chosen = yield* sql<{ eventTypes: ReadonlyArray<string> | null }>`
      SELECT event_types FROM webhook_endpoints WHERE organization_id = ${organizationId} ORDER BY event_types
    `
    return [
      yield* typesIn("own_events", "type"),
      yield* typesIn("monthly_events", "type"),
      yield* typesIn("webhook_deliveries", "event_type"),
      chosen.map(({ eventTypes }) => eventTypes)
    ]
  })

  it.effect("gives all of them the new name, leaves others, and changes nothing when it is run again", () =>
    Effect.gen(function* () {
      const [one, other] = [randomUUID(), randomUUID()]
      for (const organizationId of [one, other]) {
        yield* store(organizationId, old, count)
        yield* store(organizationId, kept, 2)
        for (const eventTypes of [["case.closed", old], ["case.closed"], null]) {
          yield* addEndpoint(organizationId, eventTypes)
        }
      }
      const events = [
        { type: "ping", rows: count },
        { type: kept, rows: 2 }
      ]
      const renamed = [events, events, events, [["case.closed"], ["case.closed", "ping"], null]]
      for (let run = 0; run < 2; run += 1) {
        yield* renameTestEvents.change
        for (const organizationId of [one, other]) assert.deepStrictEqual(yield* typesOf(organizationId), renamed)
      }
    })
  )
})

import { PagePosition } from "@care/domain/http"
import { WebhookEventId } from "@care/domain/ids"
import { newest, oldest } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases } from "../../../test/storedCases.ts"
import { makeEndpoint, newOrganization } from "../../../test/storedWebhooks.ts"
import { makeDeliveriesRepo } from "./DeliveriesRepo.ts"
import { makeReplaysRepo } from "./ReplaysRepo.ts"

const tables = ["events", "webhook_deliveries", "delivery_lanes", "delivery_queues", "webhook_endpoints"]

layer(layerStoredCases, { excludeTestServices: true })("a hundred thousand events", (it) => {
  it.effect("a page of them is replayed, searched and listed at the same cost as of a thousand", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = newOrganization()
      const endpointId = yield* makeEndpoint(organizationId, "https://shop.example.com/")
      const replays = yield* makeReplaysRepo
      const deliveries = yield* makeDeliveriesRepo
      const grow = Effect.fnUntraced(function* (from: number, to: number) {
        yield* sql`
          INSERT INTO events (organization_id, id, position, type, is_test, at, data, created_at)
          SELECT ${organizationId}, gen_random_uuid(), n, 'case.closed', false, now(), '{}', now() - interval '20 days' + n * interval '1 second'
          FROM generate_series(${from}::integer, ${to}::integer) n
        `
        yield* sql`
          INSERT INTO webhook_deliveries (
            organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left, created_at
          )
          SELECT organization_id, gen_random_uuid(), ${endpointId}, id, type, id, position, 'DELIVERED', 1, 9, created_at
          FROM events WHERE organization_id = ${organizationId} AND position >= ${from}
        `
      })
      const range = { organizationId, endpointId, since: oldest.createdAt, until: newest.createdAt }
      const measure = Effect.gen(function* () {
        const [row] = yield* sql<{ id: string; createdAt: Date }>`
          SELECT id, created_at FROM events WHERE organization_id = ${organizationId} ORDER BY position OFFSET 400 LIMIT 1
        `
        if (row === undefined) return assert.fail("there are no events")
        const after = PagePosition.make({ createdAt: row.createdAt, id: row.id })
        const ids = [WebhookEventId.make(row.id)]
        const now = new Date()
        return {
          all: yield* readsOf(tables, replays.inRange({ ...range, after }, 100)),
          missing: yield* readsOf(tables, replays.missing({ ...range, after }, 100)),
          add: yield* readsOf(tables, replays.add(organizationId, endpointId, ids)),
          lock: yield* readsOf(tables, replays.lock(organizationId, endpointId, ids)),
          send: yield* readsOf(tables, replays.send(organizationId, endpointId, ids, now)),
          ofStatus: yield* readsOf(tables, deliveries.page(organizationId, endpointId, { status: "DELIVERED" }, 101)),
          ofType: yield* readsOf(
            tables,
            deliveries.page(organizationId, endpointId, { eventType: "case.created" }, 101)
          )
        }
      })
      yield* grow(1, 1500)
      const few = yield* measure
      yield* grow(1501, 100_000)
      const many = yield* measure
      yield* sql`ANALYZE events, webhook_deliveries`
      for (const grown of [many, yield* measure]) {
        for (const name of Struct.keys(few)) {
          assert.isAbove(few[name], 0, name)
          assert.isAtMost(grown[name], few[name] + 20, name)
        }
      }
    })
  )
})

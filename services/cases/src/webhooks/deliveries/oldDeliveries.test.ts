import { randomUUID } from "node:crypto"
import { removeOldRows } from "@care/service-kit"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  readDeliveries,
  recordEvent,
  serveEndpoint,
  untilArrived
} from "../../../test/storedWebhooks.ts"
import { oldDeliveries } from "./oldDeliveries.ts"

layer(layerStoredWebhooks(), { excludeTestServices: true })("events and deliveries", (it) => {
  it.effect("are stored for 30 days, with their attempts and lanes; later ones arrive", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = removeOldRows(oldDeliveries)
      const { endpointId, organizationId, accepted, url } = yield* serveEndpoint()
      // Deliveries that wait for it become old, too.
      const disabledId = yield* makeEndpoint(organizationId, url, { isEnabled: false })
      const caseId = yield* makeEventfulCase(organizationId)
      yield* untilArrived(accepted, 1)
      const isDelivered = ({ status }: { readonly status: string }) => status === "DELIVERED"
      yield* until(readDeliveries(organizationId, endpointId), (all) => all.length === 1 && all.every(isDelivered))
      const rowCounts = Effect.map(
        sql`
          SELECT (SELECT count(*) FROM events)::int AS events, (SELECT count(*) FROM webhook_deliveries)::int AS deliveries,
                 (SELECT count(*) FROM webhook_attempts)::int AS attempts, (SELECT count(*) FROM delivery_lanes)::int AS lanes
        `,
        ([row]) => ({ ...row })
      )
      const age = (interval: string) =>
        sql.withTransaction(
          Effect.all([
            sql`UPDATE events SET created_at = now() - ${interval}::interval`,
            sql`UPDATE webhook_deliveries SET created_at = now() - ${interval}::interval`,
            sql`UPDATE delivery_lanes SET changed_at = now() - ${interval}::interval`
          ])
        )
      const all = { events: 1, deliveries: 2, attempts: 1, lanes: 2 }
      yield* age("29 days 23 hours")
      yield* run
      assert.deepStrictEqual(yield* rowCounts, all)
      yield* age("30 days 1 hour")
      yield* run
      assert.deepStrictEqual(yield* rowCounts, { events: 0, deliveries: 0, attempts: 0, lanes: 0 })
      yield* recordEvent(organizationId, caseId)
      yield* untilArrived(accepted, 2)
      assert.lengthOf(yield* readDeliveries(organizationId, disabledId), 1)
    })
  )

  it.effect("of every state and age are removed after 30 days, and no event before its deliveries", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = randomUUID()
      const endpointId = randomUUID()
      // A minute younger than so many days. Statements of the clean-up remove a part of a day's rows.
      yield* sql`
        WITH event AS (
          INSERT INTO events (organization_id, id, position, type, is_test, at, data, created_at)
          SELECT ${organizationId}, gen_random_uuid(), nextval('event_positions'), 'case.closed', false, now(),
                 jsonb_build_object('day', day), now() - day * interval '1 day' + interval '1 minute'
          FROM generate_series(0, 60) AS day, generate_series(1, 30)
          RETURNING *
        )
        INSERT INTO webhook_deliveries (
          organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left,
          next_attempt_at, created_at
        )
        SELECT organization_id, gen_random_uuid(), ${endpointId}::uuid, id, type, id, position, status, 0, 10,
               CASE status WHEN 'PENDING' THEN now() + interval '1 hour' END, created_at
        FROM (
          SELECT *, (ARRAY['PENDING', 'DELIVERED', 'FAILED'])[1 + row_number() OVER (PARTITION BY data ORDER BY position) % 3] AS status
          FROM event
        ) AS event
      `
      const left = Effect.all({
        deliveries: sql`
          SELECT status, count(*)::int AS count, max((event.data ->> 'day')::int) AS day FROM webhook_deliveries delivery
          JOIN events event ON event.organization_id = delivery.organization_id AND event.id = delivery.event_id
          WHERE delivery.organization_id = ${organizationId} GROUP BY status ORDER BY status
        `,
        events: sql`SELECT count(*)::int AS count FROM events WHERE organization_id = ${organizationId}`
      })
      yield* removeOldRows(oldDeliveries)
      assert.deepStrictEqual(yield* left, {
        deliveries: ["DELIVERED", "FAILED", "PENDING"].map((status) => ({ status, count: 310, day: 30 })),
        events: [{ count: 930 }]
      })
    })
  )

  it.effect("a lane whose deliveries were removed is removed, and delays nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let isRepaired = false
      const { endpointId, organizationId, accepted } = yield* serveEndpoint(
        (_, response) => void response.writeHead(isRepaired ? 204 : 500).end()
      )
      const caseId = yield* makeEventfulCase(organizationId)
      yield* until(readDeliveries(organizationId, endpointId), ([delivery]) => delivery?.attempts === 1)
      yield* sql`DELETE FROM webhook_deliveries WHERE organization_id = ${organizationId}`
      isRepaired = true
      yield* sql`UPDATE delivery_lanes SET due_at = now() WHERE organization_id = ${organizationId}`
      yield* sql`UPDATE delivery_queues SET due_at = now() WHERE organization_id = ${organizationId} AND claim_id IS NULL`
      const lanes = sql`SELECT FROM delivery_lanes WHERE organization_id = ${organizationId}`
      yield* until(lanes, ({ length }) => length === 0)
      const isReleased = sql`SELECT FROM delivery_queues WHERE endpoint_id = ${endpointId} AND claim_id IS NULL`
      yield* until(isReleased, ({ length }) => length === 1)
      yield* recordEvent(organizationId, caseId)
      yield* untilArrived(accepted, 1)
    })
  )
})

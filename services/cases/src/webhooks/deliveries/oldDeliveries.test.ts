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

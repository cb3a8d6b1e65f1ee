import { removeOldRows } from "@care/service-kit"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  arrived,
  happen,
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  readDeliveries,
  serveEndpoint
} from "../../../test/storedWebhooks.ts"
import { oldDeliveries } from "./oldDeliveries.ts"

layer(layerStoredWebhooks(), { excludeTestServices: true })("events and deliveries", (it) => {
  it.effect("are stored for 30 days, with their attempts and lanes; later ones arrive", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = removeOldRows(oldDeliveries)
      const { endpointId, organizationId, taken, url } = yield* serveEndpoint()
      // What waits for it becomes old, too.
      const disabledId = yield* makeEndpoint(organizationId, url, { isEnabled: false })
      const caseId = yield* makeEventfulCase(organizationId)
      yield* arrived(taken, 1)
      const isDelivered = ({ status }: { readonly status: string }) => status === "DELIVERED"
      yield* until(readDeliveries(organizationId, endpointId), (all) => all.length === 1 && all.every(isDelivered))
      const kept = Effect.map(
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
      assert.deepStrictEqual(yield* kept, all)
      yield* age("30 days 1 hour")
      yield* run
      assert.deepStrictEqual(yield* kept, { events: 0, deliveries: 0, attempts: 0, lanes: 0 })
      yield* happen(organizationId, caseId)
      yield* arrived(taken, 2)
      assert.lengthOf(yield* readDeliveries(organizationId, disabledId), 1)
    })
  )

  it.effect("a lane whose deliveries were removed is removed, and delays nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let isMended = false
      const { endpointId, organizationId, taken } = yield* serveEndpoint(
        (_, response) => void response.writeHead(isMended ? 204 : 500).end()
      )
      const caseId = yield* makeEventfulCase(organizationId)
      yield* until(readDeliveries(organizationId, endpointId), ([delivery]) => delivery?.attempts === 1)
      yield* sql`DELETE FROM webhook_deliveries WHERE organization_id = ${organizationId}`
      isMended = true
      yield* sql`UPDATE delivery_lanes SET due_at = now() WHERE organization_id = ${organizationId}`
      yield* sql`UPDATE delivery_queues SET due_at = now() WHERE organization_id = ${organizationId} AND claim_id IS NULL`
      const lanes = sql`SELECT FROM delivery_lanes WHERE organization_id = ${organizationId}`
      yield* until(lanes, ({ length }) => length === 0)
      const isGivenBack = sql`SELECT FROM delivery_queues WHERE endpoint_id = ${endpointId} AND claim_id IS NULL`
      yield* until(isGivenBack, ({ length }) => length === 1)
      yield* happen(organizationId, caseId)
      yield* arrived(taken, 1)
    })
  )
})

import type { ServerResponse } from "node:http"
import { until, whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import {
  arrived,
  happen,
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  newOrganization,
  readDeliveries,
  serveEndpoint,
  serveReceiver,
  untilFirst
} from "../../../test/storedWebhooks.ts"
import { makeWebhookEndpointsRepo } from "../endpoints/WebhookEndpointsRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { EndpointQueues } from "./EndpointQueues.ts"
import { makeAcceptOrganization } from "./makeAcceptOrganization.ts"
import { makeDeliveryGauges } from "./makeDeliveryGauges.ts"

const TestLayer = Layer.merge(DeliveryWakeUp.layer, layerStoredWebhooks())

const scrape = Effect.andThen(Effect.flatten(makeDeliveryGauges), PrometheusMetrics.format()).pipe(
  Effect.provideService(Metric.MetricRegistry, new Map())
)

layer(TestLayer, { excludeTestServices: true })("an organization that is disabled", (it) => {
  it.effect("is sent nothing, raises no alarm, and gets everything in order when it is enabled again", () =>
    Effect.gen(function* () {
      const [organizationId, other] = [newOrganization(), newOrganization()]
      const accept = yield* makeAcceptOrganization
      const sql = yield* SqlClient.SqlClient
      const [old, added, others] = [yield* serveReceiver(), yield* serveReceiver(), yield* serveReceiver()]
      const first = yield* makeEndpoint(organizationId, old.url)
      const disabled = yield* makeEndpoint(organizationId, old.url, { isEnabled: false })
      yield* makeEndpoint(other, others.url)
      const caseId = yield* makeEventfulCase(organizationId)
      yield* arrived(old.taken, 1)
      yield* sql`UPDATE webhook_endpoints SET failing_since = now() - interval '4 days' WHERE id = ${first}`

      yield* accept({ organizationId, version: 2, isDisabled: true })
      yield* accept({ organizationId, version: 1, isDisabled: false })
      const second = yield* makeEndpoint(organizationId, added.url)
      for (let event = 0; event < 3; event += 1) yield* happen(organizationId, caseId)
      yield* (yield* EndpointQueues).refresh(organizationId, first)
      const held = until(readDeliveries(organizationId, second), (deliveries) => deliveries.length === 3)
      assert.isTrue((yield* held).every(({ attempts }) => attempts === 0))
      // Who came later was told meanwhile.
      yield* makeEventfulCase(other)
      yield* arrived(others.taken, 1)
      assert.deepStrictEqual([old.received.length, added.received.length], [1, 0])
      // What others were sent is known to be a moment after it arrived.
      const text = yield* until(scrape, (told) => /^webhook_deliveries_waiting 0$/m.test(told))
      assert.match(text, /^webhook_deliveries_oldest_waiting_age_seconds 0$/m)
      assert.match(text, /^webhook_deliveries_held 10$/m)
      assert.match(text, /webhook_endpoints\{health="FAILING"\} 0/)

      yield* accept({ organizationId, version: 3, isDisabled: false })
      yield* arrived(old.taken, 4)
      yield* arrived(added.taken, 3)
      const numbers = old.taken.map(({ sequence }) => sequence)
      assert.deepStrictEqual(
        numbers,
        numbers.toSorted((a, b) => a - b)
      )
      assert.deepStrictEqual(
        added.taken.map(({ id }) => id),
        old.taken.slice(1).map(({ id }) => id)
      )
      assert.deepStrictEqual(yield* sql`SELECT FROM webhook_endpoints WHERE failing_since IS NOT NULL`, [])
      yield* untilFirst(organizationId, disabled, ({ attempts, status }) => status === "PENDING" && attempts === 0)
      assert.match(yield* scrape, /^webhook_deliveries_held 4$/m)
    })
  )

  it.effect("is sent nothing more after the running attempt", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const accept = yield* makeAcceptOrganization
      const held: Array<ServerResponse> = []
      const { endpointId, organizationId, received } = yield* serveEndpoint((_, response) => void held.push(response))
      const caseId = yield* makeEventfulCase(organizationId)
      yield* arrived(held, 1)
      yield* accept({ organizationId, version: 1, isDisabled: true })
      yield* happen(organizationId, caseId)
      yield* until(readDeliveries(organizationId, endpointId), ({ length }) => length === 2)
      held[0]?.writeHead(204).end()
      yield* untilFirst(organizationId, endpointId, ({ status }) => status === "DELIVERED")
      const isGivenBack = sql`SELECT FROM delivery_queues WHERE endpoint_id = ${endpointId} AND claim_id IS NULL`
      yield* until(isGivenBack, (rows) => rows.length === 1)
      assert.lengthOf(received, 1)
    })
  )

  it.effect("includes endpoints that were added while it was disabled or enabled", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const accept = yield* makeAcceptOrganization
      const { countInTurn } = yield* makeWebhookEndpointsRepo
      const { url } = yield* serveReceiver()
      for (const [version, isDisabled] of [true, false].entries()) {
        const add = Effect.andThen(countInTurn(organizationId), makeEndpoint(organizationId, url))
        const [endpointId] = yield* whileHeld(add, [accept({ organizationId, version, isDisabled })])
        assert.deepStrictEqual(
          (yield* sql`SELECT is_paused FROM delivery_queues WHERE endpoint_id = ${endpointId}`).map((row) => ({
            ...row
          })),
          [{ isPaused: isDisabled }]
        )
      }
    })
  )
})

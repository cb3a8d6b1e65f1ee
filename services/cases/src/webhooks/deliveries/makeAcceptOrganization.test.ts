import type { ServerResponse } from "node:http"
import { until, whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import {
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  newOrganization,
  readDeliveries,
  recordEvent,
  serveEndpoint,
  serveReceiver,
  untilArrived,
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
      yield* untilArrived(old.accepted, 1)
      yield* sql`UPDATE webhook_endpoints SET failing_since = now() - interval '4 days' WHERE id = ${first}`

      yield* accept({ organizationId, version: 2, isDisabled: true })
      yield* accept({ organizationId, version: 1, isDisabled: false })
      const second = yield* makeEndpoint(organizationId, added.url)
      for (let event = 0; event < 3; event += 1) yield* recordEvent(organizationId, caseId)
      yield* (yield* EndpointQueues).refresh(organizationId, first)
      const held = until(readDeliveries(organizationId, second), (deliveries) => deliveries.length === 3)
      assert.isTrue((yield* held).every(({ attempts }) => attempts === 0))
      // A later event of another organization is sent meanwhile.
      yield* makeEventfulCase(other)
      yield* untilArrived(others.accepted, 1)
      assert.deepStrictEqual([old.received.length, added.received.length], [1, 0])
      // The outcome of an attempt is stored a moment after its arrival.
      const text = yield* until(scrape, (metrics) => /^webhook_deliveries_waiting 0$/m.test(metrics))
      assert.match(text, /^webhook_deliveries_oldest_waiting_age_seconds 0$/m)
      assert.match(text, /^webhook_deliveries_held 10$/m)
      assert.match(text, /webhook_endpoints\{health="FAILING"\} 0/)

      yield* accept({ organizationId, version: 3, isDisabled: false })
      yield* untilArrived(old.accepted, 4)
      yield* untilArrived(added.accepted, 3)
      const numbers = old.accepted.map(({ sequence }) => sequence)
      assert.deepStrictEqual(
        numbers,
        numbers.toSorted((a, b) => a - b)
      )
      assert.deepStrictEqual(
        added.accepted.map(({ id }) => id),
        old.accepted.slice(1).map(({ id }) => id)
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
      yield* untilArrived(held, 1)
      yield* accept({ organizationId, version: 1, isDisabled: true })
      yield* recordEvent(organizationId, caseId)
      yield* until(readDeliveries(organizationId, endpointId), ({ length }) => length === 2)
      held[0]?.writeHead(204).end()
      yield* untilFirst(organizationId, endpointId, ({ status }) => status === "DELIVERED")
      const isReleased = sql`SELECT FROM delivery_queues WHERE endpoint_id = ${endpointId} AND claim_id IS NULL`
      yield* until(isReleased, (rows) => rows.length === 1)
      assert.lengthOf(received, 1)
    })
  )

  it.effect("forgets no failures when something else of it changes", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const accept = yield* makeAcceptOrganization
      const endpointId = yield* makeEndpoint(organizationId, (yield* serveReceiver()).url)
      yield* sql`UPDATE webhook_endpoints SET failing_since = now() WHERE id = ${endpointId}`
      const failing = Effect.map(
        sql`SELECT FROM webhook_endpoints WHERE id = ${endpointId} AND failing_since IS NOT NULL`,
        ({ length }) => length === 1
      )
      yield* accept({ organizationId, version: 1, isDisabled: false, supportMayReadAnswers: true })
      assert.isTrue(yield* failing)
      const [stored] = yield* sql`
        SELECT support_may_read_answers FROM organization_snapshots WHERE organization_id = ${organizationId}
      `
      assert.deepStrictEqual({ ...stored }, { supportMayReadAnswers: true })
      // A snapshot of version 1 says nothing of it.
      yield* accept({ organizationId, version: 2, isDisabled: true })
      yield* accept({ organizationId, version: 3, isDisabled: false })
      assert.isFalse(yield* failing)
    })
  )

  it.effect("includes endpoints that were added while it was disabled or enabled", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const accept = yield* makeAcceptOrganization
      const { lockListAndCount } = yield* makeWebhookEndpointsRepo
      const { url } = yield* serveReceiver()
      for (const [version, isDisabled] of [true, false].entries()) {
        const add = Effect.andThen(lockListAndCount(organizationId), makeEndpoint(organizationId, url))
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

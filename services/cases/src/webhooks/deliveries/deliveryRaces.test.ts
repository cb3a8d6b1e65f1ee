import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { type OrganizationId, WebhookEndpointId, WebhookEventId } from "@care/domain/ids"
import { until, whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import {
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  makeMovedClock,
  newOrganization,
  readDeliveries,
  recordEvent,
  serveEndpoint,
  serveReceiver,
  untilArrived,
  untilFirst
} from "../../../test/storedWebhooks.ts"
import { EndpointQueues } from "./EndpointQueues.ts"
import { Replays } from "./Replays.ts"

const { clock, pass } = makeMovedClock()
const TestLayer = layerStoredWebhooks().pipe(Layer.provideMerge(Layer.succeed(Clock.Clock, clock)))

/** Serves a receiver whose responses the test sends itself. */
const serveHeld = Effect.gen(function* () {
  const held: Array<ServerResponse> = []
  const receiver = yield* serveReceiver((_, response) => void held.push(response))
  const answer = (index: number, status: number) => Effect.sync(() => held[index]?.writeHead(status).end())
  return { ...receiver, answer }
})

layer(TestLayer, { excludeTestServices: true })("changes during an attempt", (it) => {
  const queueOf = Effect.fnUntraced(function* (organizationId: OrganizationId, endpointId: WebhookEndpointId) {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ isPaused: boolean }>`
      SELECT is_paused FROM delivery_queues WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
    `
  })

  it.effect("a success resets the failure of an endpoint, also of a proven one", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const { answer, received, url } = yield* serveHeld
      const endpointId = yield* makeEndpoint(organizationId, url)
      const failingSince = Effect.map(
        sql<{ failingSince: Date | null }>`SELECT failing_since FROM webhook_endpoints WHERE id = ${endpointId}`,
        ([row]) => row?.failingSince
      )
      const first = yield* makeEventfulCase(organizationId)
      yield* untilArrived(received, 1)
      yield* answer(0, 204)
      yield* untilFirst(organizationId, endpointId, ({ status }) => status === "DELIVERED")
      const isReleased = sql`SELECT FROM delivery_queues WHERE endpoint_id = ${endpointId} AND health = 'PROVEN' AND claim_id IS NULL`
      yield* until(isReleased, (rows) => rows.length === 1)
      yield* recordEvent(organizationId, first)
      yield* untilArrived(received, 2)
      yield* makeEventfulCase(organizationId)
      yield* untilArrived(received, 3)
      yield* answer(2, 500)
      yield* until(readDeliveries(organizationId, endpointId), (all) => all[2]?.attempts === 1)
      assert.isNotNull(yield* failingSince)
      yield* answer(1, 204)
      assert.isNull(yield* until(failingSince, (since) => since === null))
    })
  )

  it.effect("the attempt during which an endpoint is disabled is stored; nothing follows until it is enabled", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const queues = yield* EndpointQueues
      const { answer, received, url } = yield* serveHeld
      const endpointId = yield* makeEndpoint(organizationId, url)
      const set = (isEnabled: boolean) =>
        sql`UPDATE webhook_endpoints SET is_enabled = ${isEnabled} WHERE id = ${endpointId}`
      const caseId = yield* makeEventfulCase(organizationId)
      yield* untilArrived(received, 1)
      yield* sql.withTransaction(Effect.andThen(set(false), queues.refresh(organizationId, endpointId)))
      yield* recordEvent(organizationId, caseId)
      yield* answer(0, 204)
      yield* untilFirst(organizationId, endpointId, ({ status }) => status === "DELIVERED")
      const isReleased = sql`SELECT FROM delivery_queues WHERE endpoint_id = ${endpointId} AND claim_id IS NULL`
      yield* until(isReleased, (rows) => rows.length === 1)
      yield* until(readDeliveries(organizationId, endpointId), ({ length }) => length === 2)
      assert.lengthOf(received, 1)
      yield* sql.withTransaction(Effect.andThen(set(true), queues.refresh(organizationId, endpointId)))
      yield* untilArrived(received, 2)
      yield* answer(1, 204)
      yield* until(readDeliveries(organizationId, endpointId), (all) =>
        all.every(({ status }) => status === "DELIVERED")
      )
    })
  )

  it.effect("an attempt whose outcome cannot be stored is repeated only after the claim has ended", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { endpointId, organizationId, received } = yield* serveEndpoint()
      yield* sql`ALTER TABLE webhook_attempts ADD CONSTRAINT stores_nothing CHECK (false) NOT VALID`
      yield* makeEventfulCase(organizationId)
      yield* untilArrived(received, 1)
      // Later events of the endpoint wait, too, and those of other endpoints are sent.
      yield* makeEventfulCase(organizationId)
      yield* until(readDeliveries(organizationId, endpointId), ({ length }) => length === 2)
      yield* pass("20 seconds")
      yield* sql`ALTER TABLE webhook_attempts DROP CONSTRAINT stores_nothing`
      const other = newOrganization()
      const others = yield* serveReceiver()
      yield* makeEndpoint(other, others.url)
      yield* makeEventfulCase(other)
      yield* untilArrived(others.accepted, 1)
      assert.lengthOf(received, 1)
      yield* pass("6 seconds")
      yield* until(readDeliveries(organizationId, endpointId), (all) =>
        all.every(({ attempts, status }) => status === "DELIVERED" && attempts === 1)
      )
      assert.strictEqual(received[0]?.id, received[1]?.id)
    })
  )

  it.effect("a replay during the last attempt gives ten more attempts", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const { answer, received, url } = yield* serveHeld
      const endpointId = yield* makeEndpoint(organizationId, url)
      yield* makeEventfulCase(organizationId)
      yield* untilArrived(received, 1)
      yield* answer(0, 500)
      const { id } = yield* untilFirst(organizationId, endpointId, ({ attempts }) => attempts === 1)
      yield* sql`UPDATE webhook_deliveries SET attempts_left = 1 WHERE organization_id = ${organizationId}`
      yield* pass("7 seconds")
      yield* untilArrived(received, 2)
      yield* Effect.orDie((yield* Replays).delivery({ organizationId, key: undefined }, id))
      yield* answer(1, 500)
      const failed = yield* untilFirst(organizationId, endpointId, ({ attempts }) => attempts === 2)
      assert.deepInclude(failed, { status: "PENDING", attemptsLeft: 9 })
      yield* pass("7 seconds")
      yield* untilArrived(received, 3)
      yield* answer(2, 204)
      yield* untilFirst(organizationId, endpointId, ({ status }) => status === "DELIVERED")
    })
  )

  it.effect("parallel replays of an event to a new endpoint queue one delivery", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const { event } = yield* Replays
      const first = yield* serveReceiver()
      yield* makeEndpoint(organizationId, first.url)
      yield* makeEventfulCase(organizationId)
      yield* untilArrived(first.accepted, 1)
      const eventId = WebhookEventId.make(first.accepted[0]?.id ?? "")
      const { received, accepted, url } = yield* serveReceiver()
      const endpointId = yield* makeEndpoint(organizationId, url)
      const resend = Effect.orDie(event({ organizationId, key: undefined }, eventId, endpointId))
      const [queued, others] = yield* whileHeld(resend, [resend, resend, resend])
      assert.deepStrictEqual(
        queued.map(({ endpointId, eventId }) => [endpointId, eventId]),
        [[endpointId, eventId]]
      )
      for (const other of others) assert.deepStrictEqual(other, queued)
      yield* untilArrived(accepted, 1)
      yield* until(readDeliveries(organizationId, endpointId), ([delivery]) => delivery?.status === "DELIVERED")
      assert.isAtMost(received.length, 4)
    })
  )

  it.effect(
    "a late pause neither stops an endpoint that was enabled meanwhile, nor creates a queue of a deleted one",
    () =>
      Effect.gen(function* () {
        const organizationId = newOrganization()
        const sql = yield* SqlClient.SqlClient
        const queues = yield* EndpointQueues
        const endpointId = yield* makeEndpoint(organizationId, "https://shop.example.com/", { isEnabled: false })
        yield* queues.refresh(organizationId, endpointId)
        assert.deepInclude((yield* queueOf(organizationId, endpointId))[0], { isPaused: true })
        const enable = Effect.andThen(
          sql`UPDATE webhook_endpoints SET is_enabled = true WHERE id = ${endpointId}`,
          queues.refresh(organizationId, endpointId)
        )
        yield* whileHeld(enable, [queues.refresh(organizationId, endpointId)])
        assert.deepInclude((yield* queueOf(organizationId, endpointId))[0], { isPaused: false })
        const deleted = WebhookEndpointId.make(randomUUID())
        yield* queues.refresh(organizationId, deleted)
        assert.deepStrictEqual(yield* queueOf(organizationId, deleted), [])
      })
  )
})

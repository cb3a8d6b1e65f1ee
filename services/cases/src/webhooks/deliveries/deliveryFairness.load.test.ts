import { serveListener, until } from "@care/service-kit/testing"
import type { Health } from "@care/webhooks"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import {
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  newOrganization,
  recordEvent,
  serveEndpoint,
  untilArrived
} from "../../../test/storedWebhooks.ts"
import { makeDeliveryGauges } from "./makeDeliveryGauges.ts"

// Few slots and short attempts, so that a hundred endpoints stand for ten thousand.
const limits = {
  endpoints: { PROVEN: 2, LATEST: 2, FRESH: 2, FAILING: 2 },
  slowEndpoints: 2,
  attempts: 2,
  slowAttempts: 1,
  unsureAttempts: 1,
  ofOrganization: 3,
  slowAfter: Duration.millis(50),
  turn: Duration.millis(50),
  attempt: Duration.millis(500),
  claim: Duration.millis(1500)
}

/** Serves a receiver that never answers, and counts its requests: in all, now, and the most in parallel. */
const serveSilent = Effect.gen(function* () {
  const seen = { all: 0, now: 0, most: 0 }
  const { url } = yield* serveListener((request, response) => {
    request.resume()
    seen.all += 1
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    response.on("close", () => {
      seen.now -= 1
    })
  })
  return { url, seen }
})

layer(layerStoredWebhooks(limits), { excludeTestServices: true })("endpoints that never answer", (it) => {
  /** Makes `count` of them, each in an organization of its own with an event to send. */
  const makeSilent = Effect.fnUntraced(function* (count: number, health: Health = "FRESH") {
    const { seen, url } = yield* serveSilent
    const sql = yield* SqlClient.SqlClient
    for (let index = 0; index < count; index += 1) {
      const organizationId = newOrganization()
      const endpointId = yield* makeEndpoint(organizationId, url)
      yield* sql`
        INSERT INTO delivery_queues (organization_id, endpoint_id, health, is_paused)
        VALUES (${organizationId}, ${endpointId}, ${health}, false)
      `
      yield* makeEventfulCase(organizationId)
    }
    return seen
  })

  const makeLiving = Effect.gen(function* () {
    const { endpointId, organizationId, accepted } = yield* serveEndpoint()
    const caseId = yield* makeEventfulCase(organizationId)
    return { organizationId, endpointId, caseId, accepted }
  })

  const releasedAs = (health: Health, endpointId: string) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql`SELECT FROM delivery_queues WHERE endpoint_id = ${endpointId} AND health = ${health} AND claim_id IS NULL`
    )

  it.effect("do not delay a proven endpoint, and take no more slots than theirs", () =>
    Effect.gen(function* () {
      const living = yield* makeLiving
      yield* untilArrived(living.accepted, 1)
      yield* until(releasedAs("PROVEN", living.endpointId), (rows) => rows.length === 1)
      const seen = yield* makeSilent(100)
      for (let event = 0; event < 10; event += 1) yield* recordEvent(living.organizationId, living.caseId)
      yield* untilArrived(living.accepted, 11)
      assert.isAbove(seen.all, 0)
      assert.isBelow(seen.all, 100)
      // New ones and those that fail, each with so many attempts at a time, and those that are slow now.
      assert.isAtMost(seen.most, 2 * 2 + 2 * 1 + 2 * 2)
    })
  )

  it.effect("and were proven until now do not delay later events of others", () =>
    Effect.gen(function* () {
      const living = yield* makeLiving
      yield* untilArrived(living.accepted, 1)
      yield* until(releasedAs("PROVEN", living.endpointId), (rows) => rows.length === 1)
      const seen = yield* makeSilent(100, "PROVEN")
      yield* until(
        Effect.sync(() => seen.now),
        (now) => now >= limits.slowEndpoints
      )
      for (let event = 0; event < 10; event += 1) {
        yield* recordEvent(living.organizationId, living.caseId)
        yield* untilArrived(living.accepted, 2 + event)
      }
      assert.isBelow(seen.all, 100, "some of the dead were still waiting for their turn")
    })
  )

  it.effect("and have failed once do not delay a new endpoint", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fail = sql`
        UPDATE delivery_queues SET health = 'FAILING', due_at = now() - interval '1 hour' WHERE claim_id IS NULL
      `
      yield* fail
      yield* sql`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 hour' WHERE status = 'PENDING'`
      yield* sql`UPDATE delivery_lanes SET due_at = now() - interval '1 hour' WHERE due_at > now()`
      const { accepted } = yield* makeLiving
      yield* untilArrived(accepted, 1)
      const [overdue] = yield* sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM delivery_queues WHERE health = 'FAILING' AND due_at <= now() - interval '30 minutes'
      `
      assert.isAbove(overdue?.count ?? 0, 0, "some of the dead were still waiting for their turn")
    })
  )

  it.effect("an organization has a bounded number of parallel attempts, however many endpoints it has", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const { seen, url } = yield* serveSilent
      for (let index = 0; index < 20; index += 1) yield* makeEndpoint(organizationId, url)
      for (let index = 0; index < 5; index += 1) yield* makeEventfulCase(organizationId)
      const { accepted } = yield* makeLiving
      yield* untilArrived(accepted, 1)
      yield* until(
        Effect.sync(() => seen.all),
        (all) => all > 12
      )
      assert.isAtMost(seen.most, limits.ofOrganization)
    })
  )

  it.effect("the metrics count up to a hundred thousand waiting deliveries", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [organizationId, endpointId] = [newOrganization(), newOrganization()]
      yield* sql`
        INSERT INTO delivery_queues (organization_id, endpoint_id, health, is_paused, due_at)
        VALUES (${organizationId}, ${endpointId}, 'FRESH', false, now() + interval '1 hour')
      `
      // Each statement stays within the statement timeout.
      for (let first = 1; first < 100_010; first += 10_001) {
        yield* sql`
          INSERT INTO webhook_deliveries (
            organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left,
            next_attempt_at, created_at
          )
          SELECT ${organizationId}, gen_random_uuid(), ${endpointId}, gen_random_uuid(), 'case.closed', gen_random_uuid(),
                 n, 'PENDING', 0, 10, now(), now()
          FROM generate_series(${first}::integer, ${first + 10_000}::integer) n
        `
      }
      const text = yield* Effect.andThen(Effect.flatten(makeDeliveryGauges), PrometheusMetrics.format()).pipe(
        Effect.provideService(Metric.MetricRegistry, new Map())
      )
      assert.include(text, "webhook_deliveries_waiting 100000")
    })
  )
})

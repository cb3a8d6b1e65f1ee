import { makeDefaultPartitionGauge, rowsOf } from "@care/service-kit"
import { DateTime, Effect, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"

const waiting = Metric.gauge("webhook_deliveries_waiting", {
  description: "Deliveries of events to endpoints that are going to be attempted; more than 100,000 are not counted"
})

const oldest = Metric.gauge("webhook_deliveries_oldest_waiting_age_seconds", {
  description: "How old the oldest event is of those that are going to be attempted"
})

const held = Metric.gauge("webhook_deliveries_held", {
  description:
    "Deliveries that wait until their endpoint, or its organization, is enabled again; more than 100,000 are not counted"
})

const endpoints = Metric.gauge("webhook_endpoints", {
  description: "Endpoints of live organizations that fail (FAILING), and those that were disabled (DISABLED)"
})

const oldestUnrelayed = Metric.gauge("webhook_events_oldest_unrelayed_age_seconds", {
  description: "How old the oldest event is of those whose deliveries are not stored yet"
})

const measured = rowsOf(
  Schema.Struct({
    waiting: Schema.Int,
    held: Schema.Int,
    oldestAt: Schema.NullOr(Schema.Date),
    unrelayedAt: Schema.NullOr(Schema.Date),
    failing: Schema.Int,
    disabled: Schema.Int
  })
)

/** Measures the deliveries that wait, of all processes, and the endpoints that fail. Deleted endpoints have no queue and do not count. */
export const makeDeliveryGauges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const measureDefault = yield* makeDefaultPartitionGauge("events")
  const pendingOf = (queues: string) =>
    sql.literal(`(
      SELECT count(*) FROM (
        SELECT FROM delivery_queues q
        CROSS JOIN LATERAL (
          SELECT FROM webhook_deliveries
          WHERE organization_id = q.organization_id AND endpoint_id = q.endpoint_id AND status = 'PENDING'
          LIMIT 100000
        ) AS pending
        WHERE ${queues}
        LIMIT 100000
      ) AS counted
    )::integer`)
  return Effect.gen(function* () {
    const now = yield* DateTime.nowAsDate
    const ageOf = (at: Date | null) => (at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000))
    const row = yield* measured.one(
      sql`
        SELECT
          ${pendingOf("q.due_at IS NOT NULL AND NOT q.is_paused")} AS waiting,
          ${pendingOf("q.is_paused")} AS held,
          (
            SELECT min(first.created_at) FROM delivery_queues q
            CROSS JOIN LATERAL (
              SELECT created_at FROM webhook_deliveries
              WHERE organization_id = q.organization_id AND endpoint_id = q.endpoint_id AND status = 'PENDING'
              ORDER BY created_at LIMIT 1
            ) AS first
            WHERE q.due_at IS NOT NULL AND NOT q.is_paused
          ) AS oldest_at,
          least(
            (
              SELECT at FROM case_activity WHERE awaits_event
              ORDER BY at, organization_id, case_id, sequence LIMIT 1
            ),
            (SELECT at FROM own_events ORDER BY at, organization_id, id LIMIT 1)
          ) AS unrelayed_at,
          count(*) FILTER (WHERE e.is_enabled AND e.failing_since IS NOT NULL AND q.is_paused IS NOT TRUE)::integer AS failing,
          count(*) FILTER (WHERE NOT e.is_enabled)::integer AS disabled
        FROM (
          SELECT * FROM webhook_endpoints AS endpoint
          WHERE NOT EXISTS (SELECT FROM test_organizations AS test WHERE test.organization_id = endpoint.organization_id)
        ) AS e
        LEFT JOIN delivery_queues q ON q.organization_id = e.organization_id AND q.endpoint_id = e.id
      `.unprepared
    )
    yield* Metric.update(waiting, row.waiting)
    yield* Metric.update(held, row.held)
    yield* Metric.update(oldest, ageOf(row.oldestAt))
    yield* Metric.update(oldestUnrelayed, ageOf(row.unrelayedAt))
    yield* Metric.update(Metric.withAttributes(endpoints, { health: "FAILING" }), row.failing)
    yield* Metric.update(Metric.withAttributes(endpoints, { health: "DISABLED" }), row.disabled)
    yield* measureDefault
  })
})

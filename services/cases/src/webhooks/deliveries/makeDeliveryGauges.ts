import { rowsOf } from "@care/service-kit"
import { DateTime, Effect, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"

const waiting = Metric.gauge("webhook_deliveries_waiting", {
  description:
    "Deliveries of events to endpoints that are neither delivered nor given up; more than 100,000 are not counted"
})

const oldest = Metric.gauge("webhook_deliveries_oldest_waiting_age_seconds", {
  description: "How old the oldest event is that waits for its delivery to an endpoint"
})

const endpoints = Metric.gauge("webhook_endpoints", {
  description: "Endpoints of partners that fail (FAILING), and those that were disabled (DISABLED)"
})

const measured = rowsOf(
  Schema.Struct({
    waiting: Schema.Int,
    oldestAt: Schema.NullOr(Schema.Date),
    failing: Schema.Int,
    disabled: Schema.Int
  })
)

/** Measures what waits to be sent to partners, of all processes together, and how many endpoints do not take it. */
export const makeDeliveryGauges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return Effect.gen(function* () {
    const now = yield* DateTime.nowAsDate
    const row = yield* measured.one(
      sql`
        SELECT
          (
            SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE status = 'PENDING' LIMIT 100000) AS waiting
          )::integer AS waiting,
          (SELECT min(created_at) FROM webhook_deliveries WHERE status = 'PENDING') AS oldest_at,
          count(*) FILTER (WHERE is_enabled AND failing_since IS NOT NULL)::integer AS failing,
          count(*) FILTER (WHERE NOT is_enabled)::integer AS disabled
        FROM webhook_endpoints
      `.unprepared
    )
    yield* Metric.update(waiting, row.waiting)
    yield* Metric.update(
      oldest,
      row.oldestAt === null ? 0 : Math.max(0, (now.getTime() - row.oldestAt.getTime()) / 1000)
    )
    yield* Metric.update(Metric.withAttributes(endpoints, { standing: "FAILING" }), row.failing)
    yield* Metric.update(Metric.withAttributes(endpoints, { standing: "DISABLED" }), row.disabled)
  })
})

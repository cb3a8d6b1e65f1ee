import type { OrganizationId } from "@care/domain/ids"
import { type DueWork, execute, OtherDueWork, rowsOf } from "@care/service-kit"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ActivityWakeUp } from "../../case/index.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"

const looks = rowsOf(Schema.Struct({ isUnderWay: Schema.Boolean, dueInMillis: Schema.NullOr(Schema.Finite) }))

const makeDueDeliveries = Effect.gen(function* () {
  const activities = yield* ActivityWakeUp
  const deliveries = yield* DeliveryWakeUp
  const sql = yield* SqlClient.SqlClient

  const works: ReadonlyArray<DueWork> = [
    {
      // A lane is due until its attempt is stored.
      look: (organizationId: OrganizationId) =>
        looks.one(
          sql`
            SELECT EXISTS (SELECT FROM case_activity WHERE organization_id = ${organizationId} AND awaits_event)
                   OR EXISTS (SELECT FROM own_events WHERE organization_id = ${organizationId}) AS is_under_way,
                   (extract(epoch FROM min(greatest(lane.due_at, queue.slowed_until)) - clock_timestamp()) * 1000)::float8
                     AS due_in_millis
            FROM delivery_queues queue CROSS JOIN LATERAL (
              SELECT due_at FROM delivery_lanes
              WHERE organization_id = ${organizationId} AND endpoint_id = queue.endpoint_id AND due_at IS NOT NULL
              ORDER BY due_at LIMIT 1
            ) AS lane
            WHERE queue.organization_id = ${organizationId} AND NOT queue.is_paused
          `.unprepared
        ),

      // Only what is not due yet: an attempt under way does not wait for the locks with one of the few background connections. Locks are
      // taken in the order of docs/decisions/0056-deliveries.md: delivery, lane, endpoint, queue.
      bringForward: Effect.fnUntraced(function* (organizationId, millis) {
        const earlier = (column: string) => sql`${sql(column)} - ${millis} * interval '1 millisecond' AS ${sql(column)}`
        yield* execute(
          sql`
            WITH waiting AS MATERIALIZED (
              SELECT id, ${earlier("next_attempt_at")} FROM webhook_deliveries
              WHERE organization_id = ${organizationId} AND status = 'PENDING' AND next_attempt_at > now()
              ORDER BY id
              FOR NO KEY UPDATE
            )
            UPDATE webhook_deliveries SET next_attempt_at = waiting.next_attempt_at FROM waiting
            WHERE organization_id = ${organizationId} AND webhook_deliveries.id = waiting.id
          `.unprepared
        )
        yield* execute(
          sql`
            WITH waiting AS MATERIALIZED (
              SELECT endpoint_id, lane, ${earlier("due_at")} FROM delivery_lanes
              WHERE organization_id = ${organizationId} AND due_at > now()
              ORDER BY endpoint_id, lane
              FOR NO KEY UPDATE
            )
            UPDATE delivery_lanes SET due_at = waiting.due_at FROM waiting
            WHERE organization_id = ${organizationId} AND delivery_lanes.endpoint_id = waiting.endpoint_id
              AND delivery_lanes.lane = waiting.lane
          `.unprepared
        )
        yield* execute(
          sql`
            WITH waiting AS MATERIALIZED (
              SELECT id, ${earlier("failing_since")}, ${earlier("previous_secret_until")} FROM webhook_endpoints
              WHERE organization_id = ${organizationId}
                AND (failing_since IS NOT NULL OR previous_secret_until IS NOT NULL)
              ORDER BY id
              FOR NO KEY UPDATE
            )
            UPDATE webhook_endpoints
            SET failing_since = waiting.failing_since, previous_secret_until = waiting.previous_secret_until
            FROM waiting WHERE organization_id = ${organizationId} AND webhook_endpoints.id = waiting.id
          `.unprepared
        )
        // A claimed queue is due at the end of its claim: an earlier time tells whoever has claimed it to look again.
        yield* execute(
          sql`
            WITH waiting AS MATERIALIZED (
              SELECT endpoint_id, ${earlier("due_at")}, ${earlier("slowed_until")} FROM delivery_queues
              WHERE organization_id = ${organizationId}
              ORDER BY endpoint_id
              FOR NO KEY UPDATE
            )
            UPDATE delivery_queues SET due_at = waiting.due_at, slowed_until = waiting.slowed_until FROM waiting
            WHERE organization_id = ${organizationId} AND delivery_queues.endpoint_id = waiting.endpoint_id
          `.unprepared
        )
      }),

      wake: Effect.andThen(activities.tell, deliveries.tell)
    }
  ]
  return works
})

/** Provides the events that wait to be sent, and their deliveries, as work of which a clock knows. */
export const layerDueDeliveries = Layer.effect(OtherDueWork, makeDueDeliveries).pipe(
  Layer.provide([DeliveryWakeUp.layer, ActivityWakeUp.layer])
)

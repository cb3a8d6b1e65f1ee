import { type OrganizationId, WebhookDeliveryId, type WebhookEndpointId, WebhookEventId } from "@care/domain/ids"
import { type DeliveriesQuery, maxShownAttempts, WebhookDelivery } from "@care/domain/webhooks"
import { sealedRowsOf } from "@care/phi"
import { newest, rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { AttemptRow } from "./DeliveryAttemptsRepo.ts"

/** A delivery that was examined. `isFound` says whether it matches the query, `attempted` how many attempts it has had. */
const ListedDelivery = Schema.Struct({
  ...Struct.omit(WebhookDelivery.fields, ["attempts", "waitsFor"]),
  attempted: Schema.Int,
  createdAt: Schema.Date,
  nextAttemptAt: Schema.NullOr(Schema.Date),
  isFound: Schema.Boolean
})

export type ListedDelivery = typeof ListedDelivery.Type

const deliveries = rowsOf(ListedDelivery)

/** What decides whether a pending delivery may be sent. */
const PlaceRow = Schema.Struct({
  id: WebhookDeliveryId,
  isPaused: Schema.Boolean,
  slowedUntil: Schema.NullOr(Schema.Date),
  earlierId: Schema.NullOr(WebhookDeliveryId),
  earlierEventId: Schema.NullOr(WebhookEventId)
})

export type DeliveryPlace = typeof PlaceRow.Type

const places = rowsOf(PlaceRow)

/** How many deliveries are examined for a page of a query that no index answers. */
const maxExamined = 1000

/** SQL of the list of deliveries. No statement is prepared, because a cached plan fits the table as it was. */
export const makeDeliveriesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const attempts = yield* sealedRowsOf(AttemptRow)
  return {
    /**
     * Returns deliveries to an endpoint, newest first, by the index that fits the query. Without such an index it returns the next
     * thousand, and each says whether it matches.
     */
    page: (
      organizationId: OrganizationId,
      endpointId: WebhookEndpointId,
      { caseId, cursor = newest, eventId, eventType, since, status, until }: Omit<DeliveriesQuery, "limit">,
      limit: number
    ) => {
      const isExamined = eventType !== undefined || (caseId !== undefined && status !== undefined)
      return deliveries
        .all(
          sql`
          SELECT id, event_id, event_type, case_id, status, created_at, next_attempt_at, attempts AS attempted,
                 coalesce(event_type = ${eventType ?? null}, true) AND coalesce(status = ${status ?? null}, true) AS is_found
          FROM (
            SELECT * FROM webhook_deliveries
            WHERE ${sql.and([
              sql`organization_id = ${organizationId} AND endpoint_id = ${endpointId}`,
              sql`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`,
              ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
              ...(until === undefined ? [] : [sql`created_at <= ${until}`]),
              ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
              ...(eventId === undefined ? [] : [sql`event_id = ${eventId}`]),
              ...(caseId !== undefined || status === undefined ? [] : [sql`status = ${status}`])
            ])}
            ORDER BY created_at DESC, id DESC LIMIT ${isExamined ? maxExamined : limit}
          ) AS examined
          ORDER BY created_at DESC, id DESC
        `.unprepared
        )
        .pipe(Effect.map((rows) => ({ rows, hasMore: isExamined && rows.length === maxExamined })))
    },

    find: (organizationId: OrganizationId, endpointId: WebhookEndpointId, id: WebhookDeliveryId) =>
      deliveries.first(sql`
        SELECT id, event_id, event_type, case_id, status, created_at, next_attempt_at, attempts AS attempted,
               true AS is_found
        FROM webhook_deliveries
        WHERE organization_id = ${organizationId} AND id = ${id} AND endpoint_id = ${endpointId}
      `),

    /** Returns the place of each pending delivery to an endpoint: the state of its queue, and the first of its lane if that is another. */
    placesOf: (
      organizationId: OrganizationId,
      endpointId: WebhookEndpointId,
      deliveryIds: ReadonlyArray<WebhookDeliveryId>
    ) =>
      places.all(
        sql`
          SELECT delivery.id, coalesce(queue.is_paused, false) AS is_paused, queue.slowed_until,
                 earlier.id AS earlier_id, earlier.event_id AS earlier_event_id
          FROM webhook_deliveries delivery
          LEFT JOIN delivery_queues queue
            ON queue.organization_id = delivery.organization_id AND queue.endpoint_id = delivery.endpoint_id
          LEFT JOIN LATERAL (
            SELECT id, event_id FROM webhook_deliveries
            WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND lane = delivery.lane
              AND status = 'PENDING' AND position < delivery.position
            ORDER BY position LIMIT 1
          ) AS earlier ON true
          WHERE delivery.organization_id = ${organizationId} AND delivery.id = ANY(${deliveryIds}::uuid[])
        `.unprepared
      ),

    /** Returns the newest attempts of each delivery, oldest first. An attempt that ended since the delivery was read does not fit it. */
    attemptsOf: (organizationId: OrganizationId, listed: ReadonlyArray<Pick<ListedDelivery, "id" | "attempted">>) =>
      attempts.all(sql`
        SELECT attempt.* FROM unnest(
          ${listed.map(({ id }) => id)}::uuid[], ${listed.map(({ attempted }) => String(attempted))}::text[]::int[]
        ) AS delivery (id, attempted)
        CROSS JOIN LATERAL (
          SELECT organization_id, delivery_id, number, at, duration_millis, status, failure, answer FROM webhook_attempts
          WHERE organization_id = ${organizationId} AND delivery_id = delivery.id AND number <= delivery.attempted
          ORDER BY number DESC LIMIT ${maxShownAttempts}
        ) AS attempt
        ORDER BY attempt.delivery_id, attempt.number
      `)
  }
})

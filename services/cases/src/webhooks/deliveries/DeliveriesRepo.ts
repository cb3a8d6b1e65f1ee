import type { OrganizationId, WebhookDeliveryId, WebhookEndpointId } from "@care/domain/ids"
import { type DeliveriesQuery, maxShownAttempts, WebhookDelivery } from "@care/domain/webhooks"
import { sealedRowsOf } from "@care/phi"
import { newest, rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { AttemptRow } from "./DeliveryAttemptsRepo.ts"

/** A delivery that was examined. `isFound` says whether it matches the query. */
const ListedDelivery = Schema.Struct({
  ...Struct.omit(WebhookDelivery.fields, ["attempts"]),
  createdAt: Schema.Date,
  nextAttemptAt: Schema.NullOr(Schema.Date),
  isFound: Schema.Boolean
})

export type ListedDelivery = typeof ListedDelivery.Type

const deliveries = rowsOf(ListedDelivery)

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
      { caseId, cursor = newest, eventType, since, status, until }: Omit<DeliveriesQuery, "limit">,
      limit: number
    ) => {
      const isExamined = eventType !== undefined || (caseId !== undefined && status !== undefined)
      return deliveries
        .all(
          sql`
          SELECT id, event_id, event_type, case_id, status, created_at, next_attempt_at,
                 coalesce(event_type = ${eventType ?? null}, true) AND coalesce(status = ${status ?? null}, true) AS is_found
          FROM (
            SELECT * FROM webhook_deliveries
            WHERE ${sql.and([
              sql`organization_id = ${organizationId} AND endpoint_id = ${endpointId}`,
              sql`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`,
              ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
              ...(until === undefined ? [] : [sql`created_at <= ${until}`]),
              ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
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
        SELECT id, event_id, event_type, case_id, status, created_at, next_attempt_at, true AS is_found
        FROM webhook_deliveries
        WHERE organization_id = ${organizationId} AND id = ${id} AND endpoint_id = ${endpointId}
      `),

    /** Returns the newest attempts of each delivery, oldest first. */
    attemptsOf: (organizationId: OrganizationId, deliveryIds: ReadonlyArray<string>) =>
      attempts.all(sql`
        SELECT attempt.* FROM unnest(${deliveryIds}::uuid[]) AS delivery (id)
        CROSS JOIN LATERAL (
          SELECT organization_id, delivery_id, number, at, duration_millis, status, failure, answer FROM webhook_attempts
          WHERE organization_id = ${organizationId} AND delivery_id = delivery.id
          ORDER BY number DESC LIMIT ${maxShownAttempts}
        ) AS attempt
        ORDER BY attempt.delivery_id, attempt.number
      `)
  }
})

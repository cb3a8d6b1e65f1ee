import type { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { type DeliveriesQuery, mostAttempts, WebhookDelivery } from "@care/domain/webhooks"
import { sealedRowsOf } from "@care/phi"
import { newest, rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { AttemptRow } from "./DeliveryAttemptsRepo.ts"

/** A delivery that was looked at: whether it was asked for. */
const ListedDelivery = Schema.Struct({
  ...Struct.omit(WebhookDelivery.fields, ["attempts"]),
  createdAt: Schema.Date,
  nextAttemptAt: Schema.NullOr(Schema.Date),
  isFound: Schema.Boolean
})

const listed = rowsOf(ListedDelivery)

/** How many deliveries are looked at for a page when an index does not lead to those that are asked for alone. */
const mostExamined = 1000

/** SQL of the list of deliveries. None of it is prepared: a plan that was kept is one for the table as it was. */
export const makeDeliveriesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const attempts = yield* sealedRowsOf(AttemptRow)
  return {
    /**
     * Deliveries to an endpoint, newest first, from the index of what is asked for. What no index leads to is looked for
     * among the next thousand, which all come then, each with whether it was found.
     */
    page: (
      organizationId: OrganizationId,
      endpointId: WebhookEndpointId,
      { caseId, cursor = newest, eventType, since, status, until }: Omit<DeliveriesQuery, "limit">,
      limit: number
    ) => {
      const isWalk = eventType !== undefined || (caseId !== undefined && status !== undefined)
      return listed
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
            ORDER BY created_at DESC, id DESC LIMIT ${isWalk ? mostExamined : limit}
          ) AS examined
          ORDER BY created_at DESC, id DESC
        `.unprepared
        )
        .pipe(Effect.map((rows) => ({ rows, hasMore: isWalk && rows.length === mostExamined })))
    },

    /** The newest attempts of each of the deliveries, oldest first. */
    attemptsOf: (organizationId: OrganizationId, deliveryIds: ReadonlyArray<string>) =>
      attempts.all(sql`
        SELECT attempt.* FROM unnest(${deliveryIds}::uuid[]) AS delivery (id)
        CROSS JOIN LATERAL (
          SELECT organization_id, delivery_id, number, at, duration_millis, status, failure, answer FROM webhook_attempts
          WHERE organization_id = ${organizationId} AND delivery_id = delivery.id
          ORDER BY number DESC LIMIT ${mostAttempts}
        ) AS attempt
        ORDER BY attempt.delivery_id, attempt.number
      `)
  }
})

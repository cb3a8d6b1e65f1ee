import { type CaseId, type OrganizationId, WebhookEventId } from "@care/domain/ids"
import { ListedWebhookEvent, type WebhookEvent } from "@care/domain/webhooks"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** An event of webhooks themselves that has no position yet. */
interface NewOwnEvent {
  readonly organizationId: OrganizationId
  readonly id: WebhookEventId
  readonly type: WebhookEvent["type"]
  readonly at: Date
  readonly data: Readonly<Record<string, string | number>>
  readonly onlyEndpoint: string | null
  readonly exceptEndpoint: string | null
}

const events = rowsOf(Schema.Struct({ ...ListedWebhookEvent.fields, id: WebhookEventId, timestamp: Schema.Date }))
const positions = rowsOf(Schema.Struct({ position: Schema.String }))

/** SQL of events. `makeRelayRepo` gives them their positions. */
export const makeEventsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("id, type, at AS timestamp, data, is_test")
  return {
    insertOwn: ({ data, ...row }: NewOwnEvent) =>
      execute(sql`INSERT INTO own_events ${sql.insert({ ...row, data: JSON.stringify(data) })}`),

    find: (organizationId: OrganizationId, id: WebhookEventId) =>
      events.first(sql`
        SELECT ${columns} FROM monthly_events WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    positionOf: (organizationId: OrganizationId, id: WebhookEventId) =>
      positions.first(sql`
        SELECT position::text AS position FROM monthly_events WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Returns the events of one case, or of all, after a position, in their order. */
    after: (organizationId: OrganizationId, caseId: Option.Option<CaseId>, position: string, limit: number) =>
      events.all(
        sql`
          SELECT ${columns} FROM monthly_events
          WHERE organization_id = ${organizationId} AND position > ${position}::bigint
            AND ${Option.match(caseId, { onNone: () => sql.literal("true"), onSome: (id) => sql`case_id = ${id}` })}
          ORDER BY position
          LIMIT ${limit}
        `.unprepared
      )
  }
})

import type { PagePosition } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { type GatewayEventResult, type PaymentStatus, ReceivedEvent } from "@care/domain/payments"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { IntentUpdate } from "../stripe/index.ts"

const events = rowsOf(
  Schema.Struct({
    ...ReceivedEvent.fields,
    happenedAt: Schema.NullOr(Schema.Date),
    createdAt: Schema.Date,
    handledAt: Schema.NullOr(Schema.Date)
  })
)

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

const ofIntents = rowsOf(Schema.Struct({ intentId: Schema.NullOr(Schema.String) }))

const handledEvents = rowsOf(Schema.Struct({ eventId: Schema.String }))

/** A received event. `isTest` if the account of sandboxes sent it. */
type NewEvent = Pick<
  typeof ReceivedEvent.Type,
  "id" | "eventId" | "type" | "intentId" | "happenedAt" | "createdAt" | "result"
> & { readonly isTest: boolean }

const columnNames = [
  "id",
  "event_id",
  "type",
  "intent_id",
  "happened_at",
  "created_at",
  "handled_at",
  "result",
  "status"
]

export const makeGatewayEventsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(columnNames.join(", "))
  const before = ({ createdAt, id }: PagePosition) => sql`(created_at, id) < (${createdAt}, ${id})`

  return {
    /** Refuses an update of an intent whose organization moves, or is in another cell. */
    requireHere: ({ intentId, organizationId }: Pick<IntentUpdate, "intentId" | "organizationId">) =>
      execute(sql`
        SELECT require_here(organization_id) FROM (
          SELECT ${organizationId ?? null}::uuid AS organization_id
          UNION SELECT organization_id FROM payment_intents WHERE id = ${intentId}
          UNION SELECT organization_id FROM payments WHERE intent_id = ${intentId}
        ) AS owners
        WHERE organization_id IS NOT NULL
      `),

    /** Returns the organizations of an intent and of the payments that named it. */
    ownersOf: (intentId: string) =>
      owners.all(sql`
        SELECT organization_id FROM payment_intents WHERE id = ${intentId} AND organization_id IS NOT NULL
        UNION SELECT organization_id FROM payments WHERE intent_id = ${intentId}
      `),

    /** Returns false, and stores nothing, when the event is known. */
    insert: (event: NewEvent) =>
      affects(sql`INSERT INTO payment_events ${sql.insert(event)} ON CONFLICT (event_id) DO NOTHING RETURNING id`),

    /** Returns those of the events that are not pending. */
    handledAmong: (eventIds: ReadonlyArray<string>) =>
      handledEvents.all(sql`
        SELECT event_id FROM payment_events WHERE event_id = ANY(${eventIds}::text[]) AND result <> 'PENDING'
      `),

    /** Marks an event as handled. Returns false when it was before. */
    markHandled: (eventId: string, result: GatewayEventResult, status: PaymentStatus | null, now: Date) =>
      affects(sql`
        UPDATE payment_events SET handled_at = ${now}, result = ${result}, status = ${status}
        WHERE event_id = ${eventId} AND result = 'PENDING'
        RETURNING event_id
      `),

    /** Returns the intent of a received event. */
    intentOf: (eventId: string) =>
      ofIntents.first(sql`SELECT intent_id FROM payment_events WHERE event_id = ${eventId}`),

    /** Newest first. */
    page: (position: PagePosition, limit: number) =>
      events.all(sql`
        SELECT ${columns} FROM payment_events WHERE ${before(position)} ORDER BY created_at DESC, id DESC LIMIT ${limit}
      `),

    /** The events of an intent, newest first. */
    pageOfIntent: (intentId: string, position: PagePosition, limit: number) =>
      events.all(sql`
        SELECT ${columns} FROM payment_events WHERE intent_id = ${intentId} AND ${before(position)}
        ORDER BY created_at DESC, id DESC LIMIT ${limit}
      `)
  }
})

import { OrganizationId, PaymentId, type UserId } from "@care/domain/ids"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntentState } from "../stripe/index.ts"
import type { Position } from "./unfinishedSource.ts"

const OpenPayment = Schema.Struct({ organizationId: OrganizationId, id: PaymentId, intentId: Schema.String })
export type OpenPayment = typeof OpenPayment.Type
const openPayments = rowsOf(OpenPayment)

const UnsettledOperation = Schema.Struct({
  organizationId: OrganizationId,
  id: PaymentId,
  operationId: Schema.String,
  since: Schema.Date
})
const unsettledOperations = rowsOf(UnsettledOperation)

const UnhandledEvent = Schema.Struct({ eventId: Schema.String, id: Schema.String, since: Schema.Date })
const unhandledEvents = rowsOf(UnhandledEvent)

const UnclaimedIntent = Schema.Struct({ organizationId: OrganizationId, id: Schema.String, state: IntentState })
export type UnclaimedIntent = typeof UnclaimedIntent.Type
const unclaimedIntents = rowsOf(UnclaimedIntent)

/** SQL of what sweeps look at, in turns of the organizations: what one of them has much of keeps no other from its turn. */
export const makeSweptPaymentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // As the partial index of the migrations says it.
  const isOpen = sql.literal("intent_id IS NOT NULL AND operation IS NULL AND status IN ('UNPAID', 'AUTHORIZED')")
  const askedLast = sql.literal("coalesce(asked_at, created_at)")
  // As the index of the migrations says it.
  const reportedLast = sql.literal("coalesce(reported_at, '-infinity'::timestamptz)")

  return {
    /**
     * Payments whose intents are not final, and were last asked for, or made, between two moments: of each organization some,
     * those first that wait longest. From one organization to the next by the index.
     */
    open: (from: Date, until: Date, ofEach: number, most: number) =>
      openPayments.all(
        sql`
          WITH RECURSIVE open_owners AS (
            (SELECT organization_id FROM payments WHERE ${isOpen} ORDER BY organization_id LIMIT 1)
            UNION ALL
            SELECT (
              SELECT organization_id FROM payments
              WHERE ${isOpen} AND payments.organization_id > open_owners.organization_id
              ORDER BY organization_id LIMIT 1
            )
            FROM open_owners WHERE organization_id IS NOT NULL
          )
          SELECT due.organization_id, due.id, due.intent_id FROM open_owners CROSS JOIN LATERAL (
            SELECT organization_id, id, intent_id, ${askedLast} AS asked_last FROM payments
            WHERE ${isOpen} AND payments.organization_id = open_owners.organization_id
              AND ${askedLast} >= ${from} AND ${askedLast} < ${until}
            ORDER BY ${askedLast}, id LIMIT ${ofEach}
          ) AS due
          ORDER BY due.asked_last, due.id LIMIT ${most}
        `.unprepared
      ),

    /** The gateway was asked for the intent of a payment; the last time, if the payment was made before a moment. */
    asked: ({ id, organizationId }: OpenPayment, now: Date, oldest: Date) =>
      execute(sql`
        UPDATE payments
        SET asked_at = CASE WHEN created_at < ${oldest}::timestamptz THEN 'infinity' ELSE ${now}::timestamptz END
        WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Payments whose operations were begun before a moment and are not over, after one in the order of that. */
    unsettled: ({ id, since }: Position, until: Date, most: number) =>
      unsettledOperations.all(
        sql`
          SELECT organization_id, id, operation_id, operation_since AS since FROM payments
          WHERE operation IS NOT NULL AND operation_since < ${until}
            AND (operation_since, id) > (${since}, ${id}::uuid)
          ORDER BY operation_since, id LIMIT ${most}
        `.unprepared
      ),

    /**
     * Intents with money that have paid nothing here since before a moment, and were not reported since another: of each
     * organization some, those first that were never reported, or longest ago. As `open`.
     */
    unclaimed: (reportedBefore: Date, until: Date, ofEach: number, most: number) =>
      unclaimedIntents.all(
        sql`
          WITH RECURSIVE unclaimed_owners AS (
            (
              SELECT organization_id FROM payment_intents
              WHERE unclaimed_since IS NOT NULL ORDER BY organization_id LIMIT 1
            )
            UNION ALL
            SELECT (
              SELECT organization_id FROM payment_intents
              WHERE unclaimed_since IS NOT NULL AND payment_intents.organization_id > unclaimed_owners.organization_id
              ORDER BY organization_id LIMIT 1
            )
            FROM unclaimed_owners WHERE organization_id IS NOT NULL
          )
          SELECT due.organization_id, due.id, due.state FROM unclaimed_owners CROSS JOIN LATERAL (
            SELECT organization_id, id, state, ${reportedLast} AS reported_last, unclaimed_since FROM payment_intents
            WHERE payment_intents.organization_id = unclaimed_owners.organization_id
              AND ${reportedLast} < ${reportedBefore} AND unclaimed_since < ${until}
            ORDER BY ${reportedLast}, unclaimed_since, id LIMIT ${ofEach}
          ) AS due
          ORDER BY due.reported_last, due.unclaimed_since, due.id LIMIT ${most}
        `.unprepared
      ),

    reported: (ids: ReadonlyArray<string>, now: Date) =>
      execute(sql`UPDATE payment_intents SET reported_at = ${now} WHERE id = ANY(${ids}::text[])`),

    /** Events that came before a moment and are not handled, after one in the order in which they came. */
    unhandled: ({ id, since }: Position, until: Date, most: number) =>
      unhandledEvents.all(
        sql`
          SELECT event_id, id, created_at AS since FROM payment_events
          WHERE result = 'PENDING' AND created_at < ${until} AND (created_at, id) > (${since}, ${id}::uuid)
          ORDER BY created_at, id LIMIT ${most}
        `.unprepared
      ),

    /** Whether a patient's method was saved since a moment. */
    hasSavedSince: (organizationId: OrganizationId, userId: UserId, moment: Date) =>
      affects(sql`
        SELECT FROM saved_methods
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND saved_at >= ${moment}
      `)
  }
})

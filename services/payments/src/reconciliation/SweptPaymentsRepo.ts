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

const UnhandledEvent = Schema.Struct({
  eventId: Schema.String,
  isTest: Schema.Boolean,
  id: Schema.String,
  since: Schema.Date
})
const unhandledEvents = rowsOf(UnhandledEvent)

const UnclaimedIntent = Schema.Struct({ organizationId: OrganizationId, id: Schema.String, state: IntentState })
export type UnclaimedIntent = typeof UnclaimedIntent.Type
const unclaimedIntents = rowsOf(UnclaimedIntent)

/** SQL of the rows that sweeps compare. Pages take a few rows of each organization, so that none delays the others. */
export const makeSweptPaymentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The condition of the partial index.
  const isOpen = sql.literal("intent_id IS NOT NULL AND operation IS NULL AND status IN ('UNPAID', 'AUTHORIZED')")
  const lastAsked = sql.literal("coalesce(asked_at, created_at)")
  // The expression of the index.
  const lastReported = sql.literal("coalesce(reported_at, '-infinity'::timestamptz)")

  return {
    /**
     * Returns payments whose intents are not final, and that were last compared, or created, in a range: at most `perOrganization` of each
     * organization, longest ago first, and none of a sandbox under reset. The recursion steps from one organization to the next by the index.
     */
    findOpen: (from: Date, until: Date, perOrganization: number, limit: number) =>
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
            SELECT organization_id, id, intent_id, ${lastAsked} AS asked_last FROM payments
            WHERE ${isOpen} AND payments.organization_id = open_owners.organization_id
              AND ${lastAsked} >= ${from} AND ${lastAsked} < ${until}
              AND NOT EXISTS (
                SELECT FROM test_organizations AS test
                WHERE test.organization_id = open_owners.organization_id AND test.is_resetting
              )
            ORDER BY ${lastAsked}, id LIMIT ${perOrganization}
          ) AS due
          ORDER BY due.asked_last, due.id LIMIT ${limit}
        `.unprepared
      ),

    /** Stores the time at which a payment was compared. One that was created before `oldest` is not compared again. */
    markAsked: ({ id, organizationId }: OpenPayment, now: Date, oldest: Date) =>
      execute(sql`
        UPDATE payments
        SET asked_at = CASE WHEN created_at < ${oldest}::timestamptz THEN 'infinity' ELSE ${now}::timestamptz END
        WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Returns payments with operations that began before `until`, oldest first, after a position. */
    findUnsettled: ({ id, since }: Position, until: Date, limit: number) =>
      unsettledOperations.all(
        sql`
          SELECT organization_id, id, operation_id, operation_since AS since FROM payments
          WHERE operation IS NOT NULL AND operation_since < ${until}
            AND (operation_since, id) > (${since}, ${id}::uuid)
          ORDER BY operation_since, id LIMIT ${limit}
        `.unprepared
      ),

    /**
     * Returns intents that have had money and no payment since before `until`, and were not reported since `reportedBefore`: at most
     * `perOrganization` of each organization, never or longest ago reported first. Recursive like `findOpen`.
     */
    findUnclaimed: (reportedBefore: Date, until: Date, perOrganization: number, limit: number) =>
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
            SELECT organization_id, id, state, ${lastReported} AS reported_last, unclaimed_since FROM payment_intents
            WHERE payment_intents.organization_id = unclaimed_owners.organization_id
              AND ${lastReported} < ${reportedBefore} AND unclaimed_since < ${until}
            ORDER BY ${lastReported}, unclaimed_since, id LIMIT ${perOrganization}
          ) AS due
          ORDER BY due.reported_last, due.unclaimed_since, due.id LIMIT ${limit}
        `.unprepared
      ),

    markReported: (ids: ReadonlyArray<string>, now: Date) =>
      execute(sql`UPDATE payment_intents SET reported_at = ${now} WHERE id = ANY(${ids}::text[])`),

    /** Returns pending events that were received before `until`, oldest first, after a position. */
    findUnhandled: ({ id, since }: Position, until: Date, limit: number) =>
      unhandledEvents.all(
        sql`
          SELECT event_id, is_test, id, created_at AS since FROM payment_events
          WHERE result = 'PENDING' AND created_at < ${until} AND (created_at, id) > (${since}, ${id}::uuid)
          ORDER BY created_at, id LIMIT ${limit}
        `.unprepared
      ),

    /** Returns whether a patient's method was saved since a time. */
    hasSavedSince: (organizationId: OrganizationId, userId: UserId, time: Date) =>
      affects(sql`
        SELECT FROM saved_methods
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND saved_at >= ${time}
      `)
  }
})

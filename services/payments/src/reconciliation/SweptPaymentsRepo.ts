import { OrganizationId, PaymentId, type UserId } from "@care/domain/ids"
import { execute, finds, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntentFacts } from "../payments/IntentFacts.ts"

const OpenPayment = Schema.Struct({ organizationId: OrganizationId, id: PaymentId, intentId: Schema.String })
export type OpenPayment = typeof OpenPayment.Type
const openPayments = rowsOf(OpenPayment)

const UnsettledOperation = Schema.Struct({
  organizationId: OrganizationId,
  paymentId: PaymentId,
  operationId: Schema.String,
  since: Schema.Date
})
export type UnsettledOperation = typeof UnsettledOperation.Type
const unsettledOperations = rowsOf(UnsettledOperation)

const UnclaimedIntent = Schema.Struct({ organizationId: OrganizationId, id: Schema.String, facts: IntentFacts })
export type UnclaimedIntent = typeof UnclaimedIntent.Type

// An organization with none that is old enough has a row, too.
const unclaimedIntents = rowsOf(
  Schema.Union([
    UnclaimedIntent,
    Schema.Struct({ organizationId: OrganizationId, id: Schema.Null, facts: Schema.Null })
  ])
)

/** SQL of what sweeps look at, in turns of the organizations: what one of them has much of keeps no other from its turn. */
export const makeSweptPaymentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // As the index says it (0030).
  const isOpen = sql.literal("intent_id IS NOT NULL AND operation IS NULL AND status IN ('UNPAID', 'AUTHORIZED')")
  const askedLast = sql.literal("coalesce(asked_at, created_at)")

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
    unsettled: ({ paymentId, since }: Pick<UnsettledOperation, "since" | "paymentId">, until: Date, most: number) =>
      unsettledOperations.all(
        sql`
          SELECT organization_id, id AS payment_id, operation_id, operation_since AS since FROM payments
          WHERE operation IS NOT NULL AND operation_since < ${until}
            AND (operation_since, id) > (${since}, ${paymentId}::uuid)
          ORDER BY operation_since, id LIMIT ${most}
        `.unprepared
      ),

    /**
     * Intents with money that have paid nothing here since before a moment: the oldest of each of the organizations that follow
     * one, in their order.
     */
    unclaimed: (after: string, until: Date, organizations: number, ofEach: number) =>
      unclaimedIntents.all(
        sql`
          WITH RECURSIVE unclaimed_owners AS (
            (
              SELECT organization_id, 1 AS place FROM payment_intents
              WHERE unclaimed_since IS NOT NULL AND organization_id > ${after}::uuid
              ORDER BY organization_id LIMIT 1
            )
            UNION ALL
            SELECT (
              SELECT organization_id FROM payment_intents
              WHERE unclaimed_since IS NOT NULL AND payment_intents.organization_id > unclaimed_owners.organization_id
              ORDER BY organization_id LIMIT 1
            ), place + 1
            FROM unclaimed_owners WHERE organization_id IS NOT NULL AND place < ${organizations}
          )
          SELECT unclaimed_owners.organization_id, found.id, found.facts FROM unclaimed_owners LEFT JOIN LATERAL (
            SELECT id, facts FROM payment_intents
            WHERE payment_intents.organization_id = unclaimed_owners.organization_id AND unclaimed_since < ${until}
            ORDER BY unclaimed_since, id LIMIT ${ofEach}
          ) AS found ON true
          WHERE unclaimed_owners.organization_id IS NOT NULL
          ORDER BY unclaimed_owners.place
        `.unprepared
      ),

    /** Whether a patient's method was saved since a moment. */
    hasSavedSince: (organizationId: OrganizationId, userId: UserId, moment: Date) =>
      finds(sql`
        SELECT FROM saved_methods
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND saved_at >= ${moment}
      `)
  }
})

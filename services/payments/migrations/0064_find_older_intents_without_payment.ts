import { OutsideTransaction } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const batch = 5000

/**
 * Notes of the intents that were known before 0029 which of them hold or took money and pay nothing here, as `unclaimedSince` of
 * `Payments` does since. By batches, each a statement of its own: what was noted before it was killed stays so.
 */
export default new OutsideTransaction(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let after: string | null = ""
    while (after !== null) {
      const [row]: ReadonlyArray<{ last: string | null }> = yield* sql<{ last: string | null }>`
        WITH page AS MATERIALIZED (
          SELECT id, organization_id, facts, updated_at FROM payment_intents WHERE id > ${after} ORDER BY id LIMIT ${batch}
        ),
        noted AS (
          UPDATE payment_intents
          SET unclaimed_since = coalesce(to_timestamp((page.facts #>> '{worth,asOf}')::bigint), page.updated_at)
          FROM page
          CROSS JOIN LATERAL (
            SELECT coalesce(bool_or(state = 'LOST'), false) AS is_lost, coalesce(bool_or(state = 'OPEN'), false) AS is_open
            FROM (
              SELECT coalesce(value ->> 'state', value #>> '{}') AS state FROM jsonb_each(page.facts -> 'disputes')
            ) AS dispute
          ) AS disputes
          CROSS JOIN LATERAL (
            SELECT coalesce(sum(units) FILTER (WHERE NOT is_failed), 0) AS standing,
                   coalesce(sum(units) FILTER (WHERE is_failed), 0) AS failed
            FROM (
              SELECT (value ->> 'units')::bigint AS units, (value ->> 'isFailed')::boolean AS is_failed
              FROM jsonb_each(page.facts -> 'refunds')
            ) AS refund
          ) AS refunds
          WHERE payment_intents.id = page.id AND payment_intents.unclaimed_since IS NULL
            AND page.organization_id IS NOT NULL AND NOT is_lost
            AND (
              is_open
              OR (
                standing <= 0 AND (page.facts ->> 'refunded')::bigint - failed <= 0
                AND (
                  (page.facts ->> 'isPaid')::boolean
                  OR ((page.facts ->> 'isAuthorized')::boolean AND NOT (page.facts ->> 'isCanceled')::boolean)
                )
              )
            )
            AND NOT EXISTS (
              SELECT FROM payments
              WHERE payments.organization_id = page.organization_id AND payments.intent_id = page.id
            )
        )
        SELECT max(id) AS last FROM page
      `
      after = row?.last ?? null
    }
  })
)

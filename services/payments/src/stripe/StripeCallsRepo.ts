import type { OrganizationId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** An operation of an organization at Stripe. */
export interface StripeOperation {
  readonly organizationId: OrganizationId
  /** What tells it from all other operations of the organization, the same however often it is repeated. */
  readonly operation: string
}

const Attempt = Schema.Struct({ attempt: Schema.Int, beganAt: Schema.Date, attemptedAt: Schema.Date })
/** Which attempt an operation is at, when the operation began, and when the attempt did. */
export type Attempt = typeof Attempt.Type

const attempts = rowsOf(Attempt)

export const makeStripeCallsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("attempt, began_at, attempted_at")

  return {
    /** The attempt that an operation is at: the first, of one that is new. */
    begin: ({ operation, organizationId }: StripeOperation, now: Date) =>
      attempts.one(sql`
        INSERT INTO stripe_calls ${sql.insert({ organizationId, operation, attempt: 1, beganAt: now, attemptedAt: now })}
        ON CONFLICT (organization_id, operation) DO UPDATE SET attempt = stripe_calls.attempt
        RETURNING ${columns}
      `),

    /** Ends an attempt: the next one, or the one that somebody else has raised it to. */
    raise: ({ operation, organizationId }: StripeOperation, ended: number, now: Date) =>
      attempts.one(sql`
        UPDATE stripe_calls
        SET attempt = GREATEST(attempt, ${ended}::int + 1),
            attempted_at = CASE attempt WHEN ${ended}::int THEN ${now} ELSE attempted_at END
        WHERE organization_id = ${organizationId} AND operation = ${operation}
        RETURNING ${columns}
      `)
  }
})

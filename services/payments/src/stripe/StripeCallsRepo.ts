import type { OrganizationId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** An operation of an organization at Stripe. */
export interface StripeOperation {
  readonly organizationId: OrganizationId
  /** Identifies the operation in its organization. It is the same in every repetition. */
  readonly operation: string
}

const Attempt = Schema.Struct({ attempt: Schema.Int, beganAt: Schema.Date, attemptedAt: Schema.Date })
/** The number of an operation's current attempt, and the times at which the operation and the attempt began. */
export type Attempt = typeof Attempt.Type

const attempts = rowsOf(Attempt)

export const makeStripeCallsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("attempt, began_at, attempted_at")

  return {
    /** Returns the current attempt of an operation. Stores the first one if the operation is new. */
    begin: ({ operation, organizationId }: StripeOperation, now: Date) =>
      attempts.one(sql`
        INSERT INTO stripe_calls ${sql.insert({ organizationId, operation, attempt: 1, beganAt: now, attemptedAt: now })}
        ON CONFLICT (organization_id, operation) DO UPDATE SET attempt = stripe_calls.attempt
        RETURNING ${columns}
      `),

    /** Ends an attempt, and returns the next one, or a later one that a parallel request has begun. */
    nextAttempt: ({ operation, organizationId }: StripeOperation, ended: number, now: Date) =>
      attempts.one(sql`
        UPDATE stripe_calls
        SET attempt = GREATEST(attempt, ${ended}::int + 1),
            attempted_at = CASE attempt WHEN ${ended}::int THEN ${now} ELSE attempted_at END
        WHERE organization_id = ${organizationId} AND operation = ${operation}
        RETURNING ${columns}
      `)
  }
})

import { RateLimited, type RateLimitRule } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countSetting, readSettings, type Setting, setting } from "../config/settings.ts"
import { outsideTransaction } from "../sql/outsideTransaction.ts"
import { affects, finds } from "../sql/rows.ts"

/** A limit of answers that tell an organization what is not its own: which codes there are, or whom others know. */
interface AnswerLimit {
  /** Refuses who has used the limit up: it is required before anything is looked up, because any answer would tell. */
  readonly require: (organizationId: OrganizationId) => Effect.Effect<void, RateLimited>
  /** Counts an answer before it is given, and refuses it when it is one too many. Never inside a transaction, which may be taken back. */
  readonly count: (organizationId: OrganizationId) => Effect.Effect<void, RateLimited>
}

/** The setting of a rate limit, of requests or of answers. */
export const rateLimitSetting = ({ meaning, name, requests, windowSeconds }: RateLimitRule): Setting<number> =>
  setting(countSetting, `RATE_LIMIT_${name}`, requests, `${meaning}, in ${windowSeconds} seconds (429 beyond)`)

/**
 * Makes the limit of a rule, whose number `RATE_LIMIT_<name>` may change. A window begins with an answer that counts. It is
 * kept in the database, so that all instances of the service count together, and of answers at once no more are given than are left.
 */
export const makeAnswerLimit = Effect.fnUntraced(function* (rule: RateLimitRule) {
  const { name, windowSeconds } = rule
  const sql = yield* SqlClient.SqlClient
  const limit = yield* readSettings(rateLimitSetting(rule))
  const requireNoTransaction = yield* outsideTransaction("An answer was counted")
  const refused = new RateLimited({ limit, retryAfter: windowSeconds })
  const endOf = DateTime.addDuration(Duration.seconds(windowSeconds))

  const take = (organizationId: OrganizationId, now: Date, end: Date) =>
    affects(sql`
      INSERT INTO answer_counts (organization_id, name, used, ends_at)
      VALUES (${organizationId}, ${name}, 1, ${end})
      ON CONFLICT (organization_id, name) DO UPDATE SET
        used = CASE WHEN answer_counts.ends_at <= ${now}::timestamptz THEN 1 ELSE answer_counts.used + 1 END,
        ends_at = CASE WHEN answer_counts.ends_at <= ${now}::timestamptz THEN excluded.ends_at ELSE answer_counts.ends_at END
      WHERE answer_counts.ends_at <= ${now}::timestamptz OR answer_counts.used < ${limit}
      RETURNING 1
    `)

  const isUsedUp = (organizationId: OrganizationId, now: Date) =>
    finds(sql`
      SELECT FROM answer_counts
      WHERE organization_id = ${organizationId} AND name = ${name} AND ends_at > ${now} AND used >= ${limit}
    `)

  const answerLimit: AnswerLimit = {
    require: Effect.fnUntraced(function* (organizationId) {
      if (yield* isUsedUp(organizationId, yield* DateTime.nowAsDate)) return yield* refused
    }),
    count: Effect.fnUntraced(function* (organizationId) {
      yield* requireNoTransaction
      const now = yield* DateTime.now
      const isTaken = yield* take(organizationId, DateTime.toDate(now), DateTime.toDate(endOf(now)))
      if (!isTaken) return yield* refused
    })
  }
  return answerLimit
})

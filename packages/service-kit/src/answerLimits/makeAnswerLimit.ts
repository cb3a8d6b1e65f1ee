import { RateLimited, type RateLimitRule, rateLimitVariable, rateWindowSeconds } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countSetting, readSettings, type Setting, setting } from "../config/settings.ts"
import { affects } from "../sql/rows.ts"
import { outsideTransaction } from "../sql/transactions.ts"

/** The setting of a rate limit, of requests or of answers. */
export const rateLimitSetting = (rule: RateLimitRule): Setting<number> =>
  setting(
    countSetting,
    rateLimitVariable(rule),
    rule.requests,
    `the most ${rule.meaning}, in ${rateWindowSeconds} seconds; more are refused with 429`
  )

/**
 * Makes a limit of answers that reveal data of others: which codes exist, or which patients other organizations have. The setting
 * `RATE_LIMIT_<name>` changes its number. A window begins with the first counted answer. The count is in the database, so that all
 * instances of the service share it, and parallel answers do not exceed it.
 */
export const makeAnswerLimit = Effect.fnUntraced(function* (rule: RateLimitRule) {
  const { name } = rule
  const sql = yield* SqlClient.SqlClient
  const limit = yield* readSettings(rateLimitSetting(rule))
  const requireNoTransaction = yield* outsideTransaction("An answer was counted")
  const refused = new RateLimited({ limit, retryAfter: rateWindowSeconds })
  const endOf = DateTime.addDuration(Duration.seconds(rateWindowSeconds))

  const countAnswer = (organizationId: OrganizationId, now: Date, end: Date) =>
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
    affects(sql`
      SELECT FROM answer_counts
      WHERE organization_id = ${organizationId} AND name = ${name} AND ends_at > ${now} AND used >= ${limit}
    `)

  return {
    /** Refuses an organization that has used up the limit. It comes before the lookup, because any answer would reveal something. */
    require: Effect.fnUntraced(function* (organizationId: OrganizationId) {
      if (yield* isUsedUp(organizationId, yield* DateTime.nowAsDate)) return yield* refused
    }),
    /** Counts an answer before it is given, and refuses it above the limit. It dies inside a transaction, which might be rolled back. */
    count: Effect.fnUntraced(function* (organizationId: OrganizationId) {
      yield* requireNoTransaction
      const now = yield* DateTime.now
      const isCounted = yield* countAnswer(organizationId, DateTime.toDate(now), DateTime.toDate(endOf(now)))
      if (!isCounted) return yield* refused
    })
  }
})

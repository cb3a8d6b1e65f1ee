import type { OrganizationId, UserId } from "@care/domain/ids"
import { affects, execute, finds, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"

/** A code about to be stored. The patient may get another one from `nextCodeAt`. */
interface NewCode {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly identifier: string
  readonly codeHash: string
  readonly maxAttempts: number
  readonly requestedAt: Date
  readonly expiresAt: Date
  readonly nextCodeAt: Date
}

/** An attempt about to be counted. Only wrong ones after `countedSince` have a cap. */
interface Attempt {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly identifier: string
  readonly countedSince: Date
  readonly now: Date
}

const stored = rowsOf(Schema.Struct({ isLastOfHour: Schema.Boolean, isLastOfDay: Schema.Boolean }))
const claimed = rowsOf(Schema.Struct({ id: Schema.String, codeHash: Schema.String, isLastOfDay: Schema.Boolean }))

/**
 * SQL of one-time codes. The times of a row (`sent_at`, `wrong_at`) are newest first and no more than are counted, so a cap
 * of n is reached when the nth of them is less than an hour or a day old.
 */
export const makeOneTimeCodesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { codeMaxPerDay, codeMaxPerHour, codeMaxWrongPerDay } = yield* AuthSettings

  // Of somebody who is not gone: an erasure is waited for, or waits, and removes the code with the address that is in it.
  const store = ({ requestedAt, ...code }: NewCode) => {
    const at = sql`${requestedAt}::timestamptz`
    const hourIsFull = sql`(one_time_codes.sent_at[${codeMaxPerHour}::int] > ${at} - interval '1 hour') IS TRUE`
    const dayIsFull = sql`(one_time_codes.sent_at[${codeMaxPerDay}::int] > ${at} - interval '1 day') IS TRUE`
    const isLocked = sql`(one_time_codes.wrong_at[${codeMaxWrongPerDay}::int] > ${at} - interval '1 day') IS TRUE`
    return stored.first(sql`
      INSERT INTO one_time_codes (
        organization_id, user_id, id, identifier, code_hash, max_attempts, expires_at, next_code_at, sent_at
      )
      SELECT organization_id, id, ${code.id}::uuid, ${code.identifier}, ${code.codeHash}, ${code.maxAttempts}::integer,
             ${code.expiresAt}::timestamptz, ${code.nextCodeAt}::timestamptz, ARRAY[${at}]
      FROM users WHERE organization_id = ${code.organizationId} AND id = ${code.userId} AND deleted_at IS NULL
      FOR KEY SHARE
      ON CONFLICT (organization_id, user_id) DO UPDATE SET
        id = excluded.id, identifier = excluded.identifier, code_hash = excluded.code_hash, attempts = 0,
        max_attempts = excluded.max_attempts, expires_at = excluded.expires_at, used_at = NULL,
        next_code_at = excluded.next_code_at,
        sent_at = (excluded.sent_at || one_time_codes.sent_at)[1:${Math.max(codeMaxPerHour, codeMaxPerDay)}::int]
      WHERE one_time_codes.id <> excluded.id AND one_time_codes.next_code_at <= ${at}
        AND NOT ${hourIsFull} AND NOT ${dayIsFull} AND NOT ${isLocked}
      RETURNING ${hourIsFull} AS is_last_of_hour, ${dayIsFull} AS is_last_of_day
    `)
  }

  return {
    /**
     * Stores a code in the place of the patient's older one, unless it is too soon or a cap is reached, and says whether it
     * is the last of the hour or the day. Some also when the code is there already, unused and unexpired.
     */
    issue: Effect.fnUntraced(function* (code: NewCode, now: Date) {
      const isNew = yield* store(code)
      if (Option.isSome(isNew)) return isNew
      const isOpen = yield* finds(sql`
        SELECT id FROM one_time_codes
        WHERE organization_id = ${code.organizationId} AND user_id = ${code.userId} AND id = ${code.id}
          AND used_at IS NULL AND expires_at > ${now}
      `)
      return isOpen ? Option.some({ isLastOfHour: false, isLastOfDay: false }) : Option.none()
    }),

    /**
     * Counts an attempt on the patient's code as a wrong one, if the code is unused, unexpired, sent to this identifier and
     * has an attempt left, and so has the day. With every last attempt that a code may have, the next code comes later: by
     * the next of the `waits`, in milliseconds.
     */
    claimAttempt: ({ countedSince, identifier, now, organizationId, userId }: Attempt, waits: ReadonlyArray<number>) =>
      claimed.first(sql`
        UPDATE one_time_codes SET
          attempts = attempts + 1,
          wrong_at = (${now}::timestamptz || wrong_at)[1:${codeMaxWrongPerDay}::int],
          wrong_in_a_row = wrong_in_a_row + 1,
          next_code_at = CASE WHEN (wrong_in_a_row + 1) % max_attempts <> 0 THEN next_code_at ELSE
            ${now}::timestamptz + interval '1 millisecond'
              * (${waits}::float8[])[least((wrong_in_a_row + 1) / max_attempts, ${waits.length}::int)]
          END
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND identifier = ${identifier}
          AND used_at IS NULL AND expires_at > ${now} AND attempts < max_attempts
          AND (wrong_at[${codeMaxWrongPerDay}::int] > ${countedSince}) IS NOT TRUE
        RETURNING id, code_hash, (wrong_at[${codeMaxWrongPerDay}::int] > ${countedSince}) IS TRUE AS is_last_of_day
      `),

    takeBackAttempt: (organizationId: OrganizationId, userId: UserId) =>
      execute(sql`
        UPDATE one_time_codes SET wrong_at = wrong_at[2:], wrong_in_a_row = greatest(wrong_in_a_row - 1, 0)
        WHERE organization_id = ${organizationId} AND user_id = ${userId}
      `),

    /** Uses a code up, after which the patient may ask for another at once; false when it is used already. */
    markUsed: (id: string, organizationId: OrganizationId, userId: UserId, now: Date) =>
      affects(sql`
        UPDATE one_time_codes SET
          used_at = ${now}, identifier = NULL, code_hash = NULL, next_code_at = ${now}, wrong_in_a_row = 0
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND id = ${id} AND used_at IS NULL
        RETURNING id
      `),

    /** Voids the patient's code, after which they may ask for another at once. What was counted stays. */
    removeAll: (organizationId: OrganizationId, userId: UserId, now: Date) =>
      execute(sql`
        UPDATE one_time_codes SET used_at = ${now}, identifier = NULL, code_hash = NULL, next_code_at = ${now}
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND used_at IS NULL
      `)
  }
})

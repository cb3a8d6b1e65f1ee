import type { OrganizationId, UserId } from "@care/domain/ids"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { livingUser } from "../../people/index.ts"

/** A new code. The patient may get another one from `nextCodeAt`. */
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

/** An attempt at a code. The cap counts wrong attempts since `countedSince`. */
interface Attempt {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly identifier: string
  readonly countedSince: Date
  readonly now: Date
}

const stored = rowsOf(Schema.Struct({ isLastOfHour: Schema.Boolean, isLastOfDay: Schema.Boolean }))
const open = rowsOf(Schema.Struct({ codeHash: Schema.String }))
const sent = rowsOf(Schema.Struct({ id: Schema.String, codeHash: Schema.String, sentAt: Schema.Date }))
const claimed = rowsOf(
  Schema.Struct({
    id: Schema.String,
    codeHash: Schema.String,
    isLastOfDay: Schema.Boolean,
    isOfSandbox: Schema.Boolean
  })
)

const timeAfter = (time: Date, duration: Duration.Input) => new Date(time.getTime() + Duration.toMillis(duration))

// Each change is one statement, because an attempt has to take the same time whether a code exists or not, and because parallel
// attempts must not pass a cap.
/** SQL of one-time codes. `sent_at` and `wrong_at` are newest first: a cap of n is reached when the nth is less than an hour or a day old. */
export const makeOneTimeCodesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { codeMaxPerDay, codeMaxPerHour, codeMaxWrongPerDay } = yield* AuthSettings

  const store = ({ requestedAt, ...code }: NewCode) => {
    const at = sql`${requestedAt}::timestamptz`
    const hourAgo = sql`${timeAfter(requestedAt, Duration.hours(-1))}::timestamptz`
    const dayAgo = sql`${timeAfter(requestedAt, Duration.days(-1))}::timestamptz`
    const hourIsFull = sql`(one_time_codes.sent_at[${codeMaxPerHour}::int] > ${hourAgo}) IS TRUE`
    const dayIsFull = sql`(one_time_codes.sent_at[${codeMaxPerDay}::int] > ${dayAgo}) IS TRUE`
    const isLocked = sql`(one_time_codes.wrong_at[${codeMaxWrongPerDay}::int] > ${dayAgo}) IS TRUE`
    return stored.first(sql`
      INSERT INTO one_time_codes (
        organization_id, user_id, id, identifier, code_hash, max_attempts, expires_at, next_code_at, sent_at
      )
      SELECT organization_id, id, ${code.id}::uuid, ${code.identifier}, ${code.codeHash}, ${code.maxAttempts}::integer,
             ${code.expiresAt}::timestamptz, ${code.nextCodeAt}::timestamptz, ARRAY[${at}]
      ${livingUser(sql, code.organizationId, code.userId)}
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
     * Stores a code in the place of the patient's older one, unless it is too soon or a cap is reached. Returns whether it is the last
     * of the hour or the day, and the stored hash. A code that is stored already, unused and unexpired, is neither; its hash may be
     * that of another secret.
     */
    issue: Effect.fnUntraced(function* (code: NewCode, now: Date) {
      const isNew = yield* store(code)
      if (Option.isSome(isNew)) return Option.some({ ...isNew.value, codeHash: code.codeHash })
      const isOpen = yield* open.first(sql`
        SELECT code_hash FROM one_time_codes
        WHERE organization_id = ${code.organizationId} AND user_id = ${code.userId} AND id = ${code.id}
          AND used_at IS NULL AND expires_at > ${now}
      `)
      return Option.map(isOpen, ({ codeHash }) => ({ isLastOfHour: false, isLastOfDay: false, codeHash }))
    }),

    /**
     * Counts a wrong attempt at the patient's code, if the code is unused, unexpired, sent to this identifier, and code and day have an
     * attempt left. The last attempt of a code delays the next code by the next of the `waits`, in milliseconds.
     */
    claimAttempt: ({ countedSince, identifier, now, organizationId, userId }: Attempt, waits: ReadonlyArray<number>) =>
      claimed.first(sql`
        UPDATE one_time_codes SET
          attempts = attempts + 1,
          wrong_at = (${now}::timestamptz || wrong_at)[1:${codeMaxWrongPerDay}::int],
          wrong_in_a_row = wrong_in_a_row + 1,
          next_code_at = CASE WHEN (wrong_in_a_row + 1) % max_attempts <> 0 THEN next_code_at ELSE
            (${waits.map((wait) => timeAfter(now, wait))}::timestamptz[])[
              least((wrong_in_a_row + 1) / max_attempts, ${waits.length}::int)
            ]
          END
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND identifier = ${identifier}
          AND used_at IS NULL AND expires_at > ${now} AND attempts < max_attempts
          AND (wrong_at[${codeMaxWrongPerDay}::int] > ${countedSince}) IS NOT TRUE
        RETURNING id, code_hash, (wrong_at[${codeMaxWrongPerDay}::int] > ${countedSince}) IS TRUE AS is_last_of_day,
          EXISTS (
            SELECT FROM organizations WHERE organizations.id = ${organizationId} AND live_organization_id IS NOT NULL
          ) AS is_of_sandbox
      `),

    /** Returns a person's valid code if its message to this email is in the local mailbox. */
    findSent: (organizationId: OrganizationId, userId: UserId, email: string, now: Date) =>
      sent.first(sql`
        SELECT c.id, c.code_hash, m.created_at AS sent_at
        FROM one_time_codes c JOIN messages m ON m.organization_id = c.organization_id AND m.id = c.id
        WHERE c.organization_id = ${organizationId} AND c.user_id = ${userId} AND c.identifier = ${email}
          AND c.used_at IS NULL AND c.expires_at > ${now}
      `),

    // A bare `wrong_at[2:]` as the value makes Citus 14 crash.
    takeBackAttempt: (organizationId: OrganizationId, userId: UserId) =>
      execute(sql`
        UPDATE one_time_codes SET wrong_at = coalesce(wrong_at[2:], '{}'), wrong_in_a_row = greatest(wrong_in_a_row - 1, 0)
        WHERE organization_id = ${organizationId} AND user_id = ${userId}
      `),

    /** Marks a code as used, and lets the patient ask for another immediately. Returns false when it was used before. */
    markUsed: (id: string, organizationId: OrganizationId, userId: UserId, now: Date) =>
      affects(sql`
        UPDATE one_time_codes SET
          used_at = ${now}, identifier = NULL, code_hash = NULL, next_code_at = ${now}, wrong_in_a_row = 0
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND id = ${id} AND used_at IS NULL
        RETURNING id
      `),

    /** Voids the patient's code, and lets them ask for another immediately. The counts stay. */
    removeAll: (organizationId: OrganizationId, userId: UserId, now: Date) =>
      execute(sql`
        UPDATE one_time_codes SET used_at = ${now}, identifier = NULL, code_hash = NULL, next_code_at = ${now}
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND used_at IS NULL
      `)
  }
})

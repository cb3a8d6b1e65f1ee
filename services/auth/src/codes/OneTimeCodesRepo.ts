import { OrganizationId, UserId } from "@care/domain"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { AuthSettings } from "../AuthSettings.ts"

/** A code about to be stored. The patient may get another one from `nextCodeAt`. */
const NewCode = Schema.Struct({
  id: Schema.String,
  organizationId: OrganizationId,
  userId: UserId,
  identifier: Schema.String,
  codeHash: Schema.String,
  maxAttempts: Schema.Int,
  requestedAt: Schema.Date,
  expiresAt: Schema.Date,
  nextCodeAt: Schema.Date
})

const Stored = Schema.Struct({ isLastOfHour: Schema.Boolean, isLastOfDay: Schema.Boolean })

/** An attempt about to be counted. Only wrong ones after `countedSince` have a cap. */
const Attempt = Schema.Struct({
  organizationId: OrganizationId,
  userId: UserId,
  identifier: Schema.String,
  countedSince: Schema.Date,
  now: Schema.Date
})

const Claimed = Schema.Struct({ id: Schema.String, codeHash: Schema.String, isLastOfDay: Schema.Boolean })

/**
 * SQL of one-time codes. The times of a row (`sent_at`, `wrong_at`) are newest first and no more than are counted, so a cap
 * of n is reached when the nth of them is less than an hour or a day old.
 */
export class OneTimeCodesRepo extends Context.Service<
  OneTimeCodesRepo,
  {
    /**
     * Stores a code in the place of the patient's older one, unless it is too soon or a cap is reached, and says whether it
     * is the last of the hour or the day. Some also when the code is there already, unused and unexpired.
     */
    readonly issue: (code: typeof NewCode.Type, now: Date) => Effect.Effect<Option.Option<typeof Stored.Type>>
    /**
     * Counts an attempt on the patient's code as a wrong one, if the code is unused, unexpired, sent to this identifier and
     * has an attempt left, and so has the day. With every last attempt that a code may have, the next code comes later: by
     * the next of the `waits`, in milliseconds.
     */
    readonly claimAttempt: (
      attempt: typeof Attempt.Type,
      waits: ReadonlyArray<number>
    ) => Effect.Effect<Option.Option<typeof Claimed.Type>>
    /** Takes an attempt back that was not wrong. */
    readonly takeBackAttempt: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<void>
    /** Uses a code up, after which the patient may ask for another at once; false when it is used already. */
    readonly markUsed: (id: string, organizationId: OrganizationId, userId: UserId, now: Date) => Effect.Effect<boolean>
    /** Voids the patient's code, after which they may ask for another at once. What was counted stays. */
    readonly removeAll: (organizationId: OrganizationId, userId: UserId, now: Date) => Effect.Effect<void>
  }
>()("@care/auth/codes/OneTimeCodesRepo") {
  static readonly layer = Layer.effect(
    OneTimeCodesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { codeMaxPerDay, codeMaxPerHour, codeMaxWrongPerDay } = yield* AuthSettings

      const store = SqlSchema.findOneOption({
        Request: Schema.toType(NewCode),
        Result: Stored,
        execute: ({ requestedAt, ...code }) => {
          const at = sql`${requestedAt}::timestamptz`
          const hourIsFull = sql`(one_time_codes.sent_at[${codeMaxPerHour}::int] > ${at} - interval '1 hour') IS TRUE`
          const dayIsFull = sql`(one_time_codes.sent_at[${codeMaxPerDay}::int] > ${at} - interval '1 day') IS TRUE`
          const isLocked = sql`(one_time_codes.wrong_at[${codeMaxWrongPerDay}::int] > ${at} - interval '1 day') IS TRUE`
          return sql`
            INSERT INTO one_time_codes ${sql.insert({ ...code, sentAt: [requestedAt] })}
            ON CONFLICT (organization_id, user_id) DO UPDATE SET
              id = excluded.id, identifier = excluded.identifier, code_hash = excluded.code_hash, attempts = 0,
              max_attempts = excluded.max_attempts, expires_at = excluded.expires_at, used_at = NULL,
              next_code_at = excluded.next_code_at,
              sent_at = (excluded.sent_at || one_time_codes.sent_at)[1:${Math.max(codeMaxPerHour, codeMaxPerDay)}::int]
            WHERE one_time_codes.id <> excluded.id AND one_time_codes.next_code_at <= ${at}
              AND NOT ${hourIsFull} AND NOT ${dayIsFull} AND NOT ${isLocked}
            RETURNING ${hourIsFull} AS is_last_of_hour, ${dayIsFull} AS is_last_of_day
          `
        }
      })

      const issue = Effect.fnUntraced(function* (code: typeof NewCode.Type, now: Date) {
        const stored = yield* store(code)
        if (Option.isSome(stored)) return stored
        const open = yield* sql`
          SELECT id FROM one_time_codes
          WHERE organization_id = ${code.organizationId} AND user_id = ${code.userId} AND id = ${code.id}
            AND used_at IS NULL AND expires_at > ${now}
        `
        return open.length === 1 ? Option.some({ isLastOfHour: false, isLastOfDay: false }) : Option.none()
      })

      const claimAttempt = SqlSchema.findOneOption({
        Request: Schema.Struct({ attempt: Schema.toType(Attempt), waits: Schema.Array(Schema.Number) }),
        Result: Claimed,
        execute: ({ attempt: { countedSince, identifier, now, organizationId, userId }, waits }) => sql`
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
        `
      })

      const markUsed = (id: string, organizationId: OrganizationId, userId: UserId, now: Date) => sql`
        UPDATE one_time_codes SET
          used_at = ${now}, identifier = NULL, code_hash = NULL, next_code_at = ${now}, wrong_in_a_row = 0
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND id = ${id} AND used_at IS NULL
        RETURNING id
      `

      return OneTimeCodesRepo.of({
        issue: (code, now) => Effect.orDie(issue(code, now)),
        claimAttempt: (attempt, waits) => Effect.orDie(claimAttempt({ attempt, waits })),
        takeBackAttempt: (organizationId, userId) =>
          Effect.orDie(sql`
            UPDATE one_time_codes SET wrong_at = wrong_at[2:], wrong_in_a_row = greatest(wrong_in_a_row - 1, 0)
            WHERE organization_id = ${organizationId} AND user_id = ${userId}
          `),
        markUsed: (id, organizationId, userId, now) =>
          markUsed(id, organizationId, userId, now).pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          ),
        removeAll: (organizationId, userId, now) =>
          Effect.orDie(sql`
            UPDATE one_time_codes SET used_at = ${now}, identifier = NULL, code_hash = NULL, next_code_at = ${now}
            WHERE organization_id = ${organizationId} AND user_id = ${userId} AND used_at IS NULL
          `)
      })
    })
  )
}

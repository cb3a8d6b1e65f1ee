import { OrganizationId, Role, UserId } from "@care/domain"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** A code about to be stored. */
export interface NewCode {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly identifier: string
  readonly codeHash: string
  readonly maxAttempts: number
  readonly requestedAt: Date
  readonly expiresAt: Date
}

const Patient = Schema.Struct({
  isKnown: Schema.Boolean,
  organizationId: OrganizationId,
  userId: UserId,
  role: Role,
  organizationName: Schema.String
})

/** A patient as the code features know one; nobody (`isKnown` false) has codes that nothing matches. */
export type CodePatient = typeof Patient.Type

const nobody = (number: number) => ({
  organizationId: "00000000-0000-4000-8000-000000000000",
  userId: `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`
})

/** How many nobodies there are, so that attempts as nobody do not queue up behind one another. */
export const nobodies = 64

const ClaimedCode = Schema.Struct({ id: Schema.String, codeHash: Schema.String })

/** SQL of one-time codes. */
export class OneTimeCodesRepo extends Context.Service<
  OneTimeCodesRepo,
  {
    /** The living patient of the organization with this email or phone number, or else the nobody of this number. */
    readonly findPatient: (
      organizationId: OrganizationId,
      identifier: string,
      nobody: number
    ) => Effect.Effect<CodePatient>
    /**
     * Stores a code in the place of the patient's older one, unless that was asked for after `notSince`. True also when
     * the code is there already, unused and unexpired.
     */
    readonly issue: (code: NewCode, notSince: Date, now: Date) => Effect.Effect<boolean>
    /**
     * Counts an attempt on the patient's code, if it is unused, unexpired, sent to this identifier and has one left. What
     * is counted for nobody gives no code.
     */
    readonly claimAttempt: (
      patient: CodePatient,
      identifier: string,
      now: Date
    ) => Effect.Effect<Option.Option<typeof ClaimedCode.Type>>
    /** Marks a code as used; false when it is used already. */
    readonly markUsed: (id: string, organizationId: OrganizationId, userId: UserId, now: Date) => Effect.Effect<boolean>
    readonly removeAll: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<void>
  }
>()("@care/auth/codes/OneTimeCodesRepo") {
  static readonly layer = Layer.effect(
    OneTimeCodesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const findPatient = SqlSchema.findOne({
        Request: Schema.Struct({ organizationId: OrganizationId, identifier: Schema.String, nobody: Schema.Int }),
        Result: Patient,
        execute: ({ identifier, nobody: number, organizationId }) => {
          const placeholder = nobody(number)
          return sql`
            SELECT true AS is_known, u.organization_id, u.id AS user_id, u.role, o.name AS organization_name
            FROM users u JOIN organizations o ON o.id = u.organization_id
            WHERE u.organization_id = ${organizationId} AND (u.email = ${identifier} OR u.phone_number = ${identifier})
              AND u.deleted_at IS NULL AND u.role = 'USER'
            UNION ALL
            SELECT false, ${placeholder.organizationId}::uuid, ${placeholder.userId}::uuid, 'USER', ''
            ORDER BY is_known DESC
            LIMIT 1
          `
        }
      })

      const claimAttempt = SqlSchema.findOneOption({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          userId: UserId,
          identifier: Schema.String,
          now: Schema.Date
        }),
        Result: ClaimedCode,
        execute: ({ identifier, now, organizationId, userId }) => sql`
          UPDATE one_time_codes SET attempts = attempts + 1
          WHERE organization_id = ${organizationId} AND user_id = ${userId} AND identifier = ${identifier}
            AND used_at IS NULL AND expires_at > ${now} AND attempts < max_attempts
          RETURNING id, code_hash
        `
      })

      const issue = Effect.fnUntraced(function* (code: NewCode, notSince: Date, now: Date) {
        const stored = yield* sql`
          INSERT INTO one_time_codes ${sql.insert({ ...code })}
          ON CONFLICT (organization_id, user_id) DO UPDATE SET
            id = excluded.id, identifier = excluded.identifier, code_hash = excluded.code_hash, attempts = 0,
            max_attempts = excluded.max_attempts, requested_at = excluded.requested_at,
            expires_at = excluded.expires_at, used_at = NULL
          WHERE one_time_codes.id <> excluded.id AND one_time_codes.requested_at <= ${notSince}
          RETURNING id
        `
        if (stored.length === 1) return true
        const pending = yield* sql`
          SELECT id FROM one_time_codes
          WHERE organization_id = ${code.organizationId} AND user_id = ${code.userId} AND id = ${code.id}
            AND used_at IS NULL AND expires_at > ${now}
        `
        return pending.length === 1
      })

      return OneTimeCodesRepo.of({
        findPatient: (organizationId, identifier, number) =>
          Effect.orDie(findPatient({ organizationId, identifier, nobody: number })),
        issue: (code, notSince, now) => Effect.orDie(issue(code, notSince, now)),
        claimAttempt: ({ isKnown, organizationId, userId }, identifier, now) =>
          Effect.orDie(claimAttempt({ organizationId, userId, identifier: isKnown ? identifier : "", now })),
        markUsed: (id, organizationId, userId, now) =>
          sql`
            UPDATE one_time_codes SET used_at = ${now}
            WHERE organization_id = ${organizationId} AND user_id = ${userId} AND id = ${id} AND used_at IS NULL
            RETURNING id
          `.pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          ),
        removeAll: (organizationId, userId) =>
          Effect.orDie(
            sql`DELETE FROM one_time_codes WHERE organization_id = ${organizationId} AND user_id = ${userId}`
          )
      })
    })
  )
}

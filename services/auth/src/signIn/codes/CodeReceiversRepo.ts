import { Role } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { livingUsers, staffWithOwnSignIn } from "../../people/index.ts"
import { someNobody } from "./nobody.ts"

const CodeReceiver = Schema.Struct({
  isKnown: Schema.Boolean,
  isLocked: Schema.Boolean,
  organizationId: OrganizationId,
  userId: UserId,
  role: Role,
  organizationName: Schema.String,
  identifiers: Schema.Array(Schema.String)
})

/**
 * A patient or a member of staff with all identifiers that codes are sent to, or a placeholder for an unknown one (`isKnown` false).
 * `isLocked`: too many wrong attempts in the last day.
 */
export type CodeReceiver = typeof CodeReceiver.Type

const receivers = rowsOf(CodeReceiver)

/** The most members of staff with one email who get codes. */
export const maxMembers = 5

export const makeCodeReceiversRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { codeMaxWrongPerDay } = yield* AuthSettings
  const nobody = someNobody()
  const placeholder = CodeReceiver.make({
    isKnown: false,
    isLocked: false,
    organizationId: nobody.organizationId,
    userId: nobody.userId,
    role: "USER",
    organizationName: "",
    identifiers: ["", ""]
  })

  const selection = (users: string, now: Date) => sql`
    SELECT true AS is_known,
           (c.wrong_at[${codeMaxWrongPerDay}::int] > ${now}::timestamptz - interval '1 day') IS TRUE AS is_locked,
           u.organization_id, u.id AS user_id, u.role, o.name AS organization_name,
           array_remove(ARRAY[u.email, u.phone_number], NULL) AS identifiers
    FROM ${sql.literal(users)} u JOIN organizations o ON o.id = u.organization_id
    LEFT JOIN one_time_codes c ON c.organization_id = u.organization_id AND c.user_id = u.id
  `
  const selectStaff = (now: Date) => selection(staffWithOwnSignIn, now)

  return {
    /** Returns the living patient of the organization with this email or phone number, or else a placeholder. */
    patient: (organizationId: OrganizationId, identifier: string, now: Date) =>
      receivers.one(sql`
        ${selection(livingUsers, now)}
        WHERE u.organization_id = ${organizationId} AND (u.email = ${identifier} OR u.phone_number = ${identifier})
          AND u.role = 'USER'
        UNION ALL
        SELECT false, false, ${nobody.organizationId}::uuid, ${nobody.userId}::uuid, 'USER', '', ARRAY['', '']
        ORDER BY is_known DESC
        LIMIT 1
      `),

    /** Returns the active member of the organization's staff with this id and email who may sign in here, or else a placeholder. */
    member: (organizationId: OrganizationId, userId: UserId, email: string, now: Date) =>
      Effect.map(
        receivers.first(sql`
          ${selectStaff(now)}
          WHERE u.organization_id = ${organizationId} AND u.id = ${userId} AND u.email = ${email} AND NOT o.is_disabled
        `),
        Option.getOrElse(() => placeholder)
      ),

    /** Returns the active members of staff with this email who may sign in here, of all organizations, and placeholders up to `maxMembers`. */
    members: (email: string, now: Date) =>
      Effect.map(
        receivers.all(sql`
          ${selectStaff(now)} WHERE u.email = ${email} AND NOT o.is_disabled ORDER BY u.created_at, u.id LIMIT ${maxMembers}
        `),
        (found) => [...found, ...Array.from({ length: maxMembers - found.length }, () => placeholder)]
      )
  }
})

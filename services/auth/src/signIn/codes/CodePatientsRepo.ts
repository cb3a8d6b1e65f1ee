import { Role } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { livingUsers } from "../../people/index.ts"
import { someNobody } from "./nobody.ts"

const CodePatient = Schema.Struct({
  isKnown: Schema.Boolean,
  isLocked: Schema.Boolean,
  organizationId: OrganizationId,
  userId: UserId,
  role: Role,
  organizationName: Schema.String,
  identifiers: Schema.Array(Schema.String)
})

/**
 * A patient with all identifiers that codes are sent to, or a placeholder for an unknown one (`isKnown` false). `isLocked`: too many
 * wrong attempts in the last day.
 */
export type CodePatient = typeof CodePatient.Type

const patients = rowsOf(CodePatient)

export const makeCodePatientsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { codeMaxWrongPerDay } = yield* AuthSettings
  const nobody = someNobody()
  return {
    /** Returns the living patient of the organization with this email or phone number, or else a placeholder. */
    find: (organizationId: OrganizationId, identifier: string, now: Date) =>
      patients.one(sql`
        SELECT true AS is_known,
               (c.wrong_at[${codeMaxWrongPerDay}::int] > ${now}::timestamptz - interval '1 day') IS TRUE AS is_locked,
               u.organization_id, u.id AS user_id, u.role, o.name AS organization_name,
               array_remove(ARRAY[u.email, u.phone_number], NULL) AS identifiers
        FROM ${sql.literal(livingUsers)} u JOIN organizations o ON o.id = u.organization_id
        LEFT JOIN one_time_codes c ON c.organization_id = u.organization_id AND c.user_id = u.id
        WHERE u.organization_id = ${organizationId} AND (u.email = ${identifier} OR u.phone_number = ${identifier})
          AND u.role = 'USER'
        UNION ALL
        SELECT false, false, ${nobody.organizationId}::uuid, ${nobody.userId}::uuid, 'USER', '', ARRAY['', '']
        ORDER BY is_known DESC
        LIMIT 1
      `)
  }
})

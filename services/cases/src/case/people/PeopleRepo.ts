import { type MemberRole, type PersonSnapshot, UserSummary } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { erasedEmail, erasedText, type PatientRef } from "@care/phi"
import { storeSnapshot } from "@care/replicas"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** The SQL of the summary of a person in JSON. `p` is the row in the statement. */
export const personJson = `
  json_build_object(
    'id', p.id, 'email', p.email, 'firstName', p.first_name, 'lastName', p.last_name, 'role', p.role,
    'phoneNumber', p.phone_number, 'isActive', p.is_active, 'createdAt', p.created_at, 'updatedAt', p.updated_at
  )
`

const people = rowsOf(Schema.Struct({ ...UserSummary.fields, createdAt: Schema.Date, updatedAt: Schema.Date }))

/** Returns the SQL that stores a snapshot of a person, unless an equally new one is stored. It may be a part of another statement. */
export const upsertPerson = (sql: SqlClient.SqlClient, { person, ...snapshot }: PersonSnapshot) =>
  storeSnapshot(sql, { table: "people", id: "id" }, { ...snapshot, ...person })

/** Returns the SQL condition that a user is an active provider. */
export const isProvider = (sql: SqlClient.SqlClient, organizationId: OrganizationId, userId: Statement.Fragment) => sql`
  EXISTS (
    SELECT FROM people WHERE organization_id = ${organizationId} AND id = ${userId} AND role = 'PROVIDER' AND is_active
  )
`

export const makePeopleRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    hasProviders: (organizationId: OrganizationId) =>
      affects(sql`
        SELECT id FROM people
        WHERE organization_id = ${organizationId} AND role = 'PROVIDER' AND is_active
        LIMIT 1
      `),

    keep: (snapshot: PersonSnapshot) => execute(upsertPerson(sql, snapshot)),

    /** Replaces names and contacts, as auth does. Its version stays, so that auth's snapshot replaces it. */
    erase: ({ organizationId, userId }: PatientRef) =>
      execute(sql`
        UPDATE people SET
          email = ${erasedEmail(userId)}, first_name = ${erasedText}, last_name = ${erasedText}, phone_number = '',
          is_active = false
        WHERE organization_id = ${organizationId} AND id = ${userId}
      `),

    find: (organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) =>
      people.all(sql`
        SELECT id, email, first_name, last_name, role, phone_number, is_active, created_at, updated_at FROM people
        WHERE organization_id = ${organizationId} AND id = ANY(${userIds}::uuid[])
      `),

    /** Returns the active members with a role and one of these emails. The last change comes last, so that it wins in a map by email. */
    findActive: (organizationId: OrganizationId, role: MemberRole, emails: ReadonlyArray<string>) =>
      people.all(sql`
        SELECT id, email, first_name, last_name, role, phone_number, is_active, created_at, updated_at FROM people
        WHERE organization_id = ${organizationId} AND email = ANY(${emails}::text[]) AND role = ${role} AND is_active
        ORDER BY updated_at
      `)
  }
})

import { type PersonFact, UserSummary } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const people = rowsOf(Schema.Struct({ ...UserSummary.fields, createdAt: Schema.Date, updatedAt: Schema.Date }))

/** The statement that keeps what was told of a person, unless something newer is kept: to be run, or part of another. */
export const keepPerson = (sql: SqlClient.SqlClient, { organizationId, person, version }: PersonFact) => sql`
  INSERT INTO people ${sql.insert({ organizationId, version, ...person })}
  ON CONFLICT (organization_id, id) DO UPDATE
  SET version = excluded.version, email = excluded.email, first_name = excluded.first_name,
      last_name = excluded.last_name, role = excluded.role, phone_number = excluded.phone_number,
      is_active = excluded.is_active, updated_at = excluded.updated_at
  WHERE people.version < excluded.version
`

export const makePeopleRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    keep: (fact: PersonFact) => execute(keepPerson(sql, fact)),

    find: (organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) =>
      people.all(sql`
        SELECT id, email, first_name, last_name, role, phone_number, is_active, created_at, updated_at FROM people
        WHERE organization_id = ${organizationId} AND id = ANY(${userIds}::uuid[])
      `)
  }
})

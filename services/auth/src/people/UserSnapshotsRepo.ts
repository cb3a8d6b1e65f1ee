import type { OrganizationId, UserId } from "@care/domain/ids"
import { type Query, rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { PersonRow, personColumns, personColumnsInAny, snapshotOf } from "./personRow.ts"

const people = rowsOf(PersonRow)
const snapshots = <E>(query: Query<E>) => Effect.map(people.all(query), (rows) => rows.map(snapshotOf))

export const makeUserSnapshotsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const person = sql.literal(personColumns)
  return {
    /** Returns the organization's users with these ids, deleted ones included. A sandbox has the staff of its live organization, too. */
    find: (organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) =>
      snapshots(sql`
        SELECT ${person} FROM users
        WHERE organization_id = ${organizationId} AND id = ANY(${userIds}::uuid[])
        UNION ALL
        SELECT ${organizationId}::uuid, ${sql.literal(personColumnsInAny)} FROM users
        WHERE organization_id = (SELECT live_organization_id FROM organizations WHERE id = ${organizationId})
          AND id = ANY(${userIds}::uuid[]) AND role <> 'USER'
      `),

    /** Returns the organization's users with these emails. */
    findByEmail: (organizationId: OrganizationId, emails: ReadonlyArray<string>) =>
      snapshots(sql`
        SELECT ${person} FROM users
        WHERE organization_id = ${organizationId} AND email = ANY(${emails}::text[]) AND deleted_at IS NULL
      `),

    /** Returns the active providers of an organization, at most 1000. */
    providers: (organizationId: OrganizationId) =>
      snapshots(sql`
        SELECT ${person} FROM users
        WHERE organization_id = ${organizationId} AND role = 'PROVIDER' AND is_active AND deleted_at IS NULL
        ORDER BY id
        LIMIT 1000
      `)
  }
})

import type { Replica, Snapshot } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { affects, rowsOf } from "@care/service-kit"
import { Effect, String as Text } from "effect"
import { SqlClient } from "effect/sql"

/** A table of snapshots. Its key is the organization and `id`, the property of a snapshot that identifies the row. */
interface SnapshotTable {
  readonly table: string
  readonly id: string
}

const columnsOf = (names: ReadonlyArray<string>): string => names.map(Text.camelToSnake).join(", ")

/** Returns the SQL that stores a snapshot, unless one as new is stored. The SQL returns a row if it stored one. */
export const storeSnapshot = (sql: SqlClient.SqlClient, { id, table }: SnapshotTable, snapshot: Snapshot) => {
  const key = [...new Set(["organizationId", id])]
  const row = Object.fromEntries(Object.entries(snapshot))
  const changes = Object.keys(row)
    .filter((name) => !key.includes(name))
    .map(Text.camelToSnake)
    .map((column) => `${column} = excluded.${column}`)
  return sql`
    INSERT INTO ${sql.literal(table)} ${sql.insert(row)}
    ON CONFLICT (${sql.literal(columnsOf(key))}) DO UPDATE SET ${sql.literal(changes.join(", "))}
    WHERE ${sql.literal(table)}.version < excluded.version
    RETURNING ${sql.literal(table)}.version
  `
}

/** Makes the statements of a table with the snapshots of a replica. Columns have the names of the snapshot's properties. */
export const makeSnapshots = <Id, S extends Snapshot>({ snapshot }: Replica<Id, S>, table: SnapshotTable) =>
  Effect.map(SqlClient.SqlClient, (sql) => {
    const rows = rowsOf(snapshot)
    const columns = sql.literal(columnsOf(Object.keys(snapshot.fields)))
    return {
      find: (organizationId: OrganizationId, ids: ReadonlyArray<Id>) =>
        rows.all(sql`
          SELECT ${columns} FROM ${sql.literal(table.table)}
          WHERE organization_id = ${organizationId} AND ${sql.literal(columnsOf([table.id]))} = ANY(${ids}::uuid[])
        `),
      /** Stores a snapshot. Returns false, and stores nothing, if one as new is stored. */
      keep: (newSnapshot: S) => affects(storeSnapshot(sql, table, newSnapshot))
    }
  })

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

const rowsAtOnce = 5000

/**
 * Removes the rows of an organization from a schema, some thousand at a time, in a session that checks nothing (`connectMover`). The
 * organization and its keys stay, because keys that name the cell lead to it. Nobody may delete from the audit: the owner of its tables
 * gets the right for the moment of a statement. Records that wait for their chain stay (`moveWaiting`).
 */
export const removeRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  schema: string,
  organizationId: string
) {
  const tables = yield* sql<{ name: string; mayRemove: boolean }>`
    SELECT relname AS name, has_table_privilege(pg_class.oid, 'DELETE') AS "mayRemove" FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND NOT attisdropped
    WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r' AND attname = 'organization_id'
      AND relname NOT IN ('organization_moves', 'api_keys', 'audit_waiting')
    ORDER BY relname
  `
  for (const { mayRemove, name } of tables) {
    const table = `${schema}."${name}"`
    const remove = sql.unsafe(
      `WITH chosen AS (SELECT ctid AS at FROM ${table} WHERE organization_id = $1::uuid LIMIT ${rowsAtOnce})
       DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT at FROM chosen)) RETURNING 1`,
      [organizationId]
    )
    const removeSome = mayRemove
      ? remove
      : sql.withTransaction(
          Effect.gen(function* () {
            yield* sql.unsafe(`GRANT DELETE ON ${table} TO CURRENT_USER`)
            const removed = yield* remove
            yield* sql.unsafe(`REVOKE DELETE ON ${table} FROM CURRENT_USER`)
            return removed
          })
        )
    yield* Effect.repeat(removeSome, { until: ({ length }) => length < rowsAtOnce })
  }
}, Effect.orDie)

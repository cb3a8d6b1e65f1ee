import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

const rowsAtOnce = 5000

/**
 * Removes the rows of an organization from a schema, some thousand at a time, in a session that checks nothing (`connectTarget`). The
 * organization and its keys stay, because keys that name the cell lead to it.
 */
export const removeRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  schema: string,
  organizationId: string
) {
  const tables = yield* sql<{ name: string }>`
    SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND NOT attisdropped
    WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r' AND attname = 'organization_id'
      AND relname NOT IN ('organization_moves', 'api_keys')
    ORDER BY relname
  `
  for (const { name } of tables) {
    const remove = sql.unsafe(
      `WITH chosen AS (SELECT ctid AS at FROM ${schema}."${name}" WHERE organization_id = $1::uuid LIMIT ${rowsAtOnce})
       DELETE FROM ${schema}."${name}" WHERE ctid = ANY(ARRAY(SELECT at FROM chosen)) RETURNING 1`,
      [organizationId]
    )
    yield* Effect.repeat(remove, { until: ({ length }) => length < rowsAtOnce })
  }
}, Effect.orDie)

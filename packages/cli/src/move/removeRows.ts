import { organizationTables } from "@care/service-kit"
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
  for (const { mayRemove, name } of yield* organizationTables(sql, schema)) {
    if (name === "api_keys" || name === "audit_waiting") continue
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

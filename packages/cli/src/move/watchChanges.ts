import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { MovedTable } from "./movedTables.ts"
import { withBriefLocks } from "./withBriefLocks.ts"

const events = [
  { name: "care_move_added", event: "INSERT OR UPDATE", row: "NEW" },
  { name: "care_move_removed", event: "DELETE", row: "OLD" }
]

const dropTriggers = (schema: string, table: MovedTable) =>
  events.map(({ name }) => `DROP TRIGGER IF EXISTS ${name} ON ${schema}."${table.name}"`)

const run = (sql: SqlClient.SqlClient, statements: ReadonlyArray<string>) =>
  withBriefLocks(
    sql,
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  )

/** Makes the triggers of a table that note the changes of an organization, and refuse them while it is frozen. */
export const watchChanges = (sql: SqlClient.SqlClient, schema: string, table: MovedTable, organizationId: string) => {
  const parameters = [organizationId, table.name, ...table.key].map((text) => `'${text}'`).join(", ")
  return run(sql, [
    ...dropTriggers(schema, table),
    ...events.map(
      ({ event, name, row }) => `
        CREATE TRIGGER ${name} BEFORE ${event} ON ${schema}."${table.name}" FOR EACH ROW
        WHEN (${row}."${table.owner}" = '${organizationId}') EXECUTE FUNCTION ${schema}.watch_move(${parameters})`
    )
  ])
}

/** Removes the triggers of a table. */
export const unwatchChanges = (sql: SqlClient.SqlClient, schema: string, table: MovedTable) =>
  run(sql, dropTriggers(schema, table))

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { withBriefLocks } from "./withBriefLocks.ts"

// A cell has to know of which cell the keys are.
const tablesWithOwners = (sql: SqlClient.SqlClient, schema: string) =>
  sql<{ name: string }>`
    SELECT relname AS name
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND NOT attisdropped
    WHERE relnamespace = ${schema}::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND attname = 'organization_id'
      AND relname NOT IN ('organization_moves', 'organization_changes', 'organizations', 'api_keys')
    ORDER BY relname
  `.pipe(Effect.orDie)

const showAgain = (table: string) => [
  `DROP POLICY IF EXISTS care_all ON ${table}`,
  `DROP POLICY IF EXISTS care_hidden ON ${table}`,
  `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`
]

// In the new cell records of reads wait, before they are linked, until the chain is there. In the old one they are linked before it leaves.
const hiddenIn = {
  arriving: { rows: "'ARRIVING'", audit: "'ARRIVING', 'AUDITING'" },
  leaving: { rows: "'MOVED', 'CLEARING'", audit: "'CLEARING'" }
} as const

const changeEach = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  schema: string,
  statementsFor: (table: string, name: string) => ReadonlyArray<string>
) {
  for (const { name } of yield* tablesWithOwners(sql, schema)) {
    const statements = statementsFor(`${schema}."${name}"`, name)
    yield* withBriefLocks(
      sql,
      Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
    )
  }
})

/**
 * Hides the rows of an organization that arrives from the services of its new cell, so that no job, sweep or request finds them before it
 * is there, or those of one that leaves from the services of its old cell, from the moment that it has moved. What is hidden follows from
 * its state, so that all rows come and go at once.
 */
export const hideRows = (
  sql: SqlClient.SqlClient,
  schema: string,
  organizationId: string,
  direction: keyof typeof hiddenIn
) =>
  changeEach(sql, schema, (table, name) => {
    const states = hiddenIn[direction][name.startsWith("audit_") ? "audit" : "rows"]
    const isHidden = `EXISTS (
      SELECT FROM ${schema}.organization_moves
      WHERE organization_moves.organization_id = '${organizationId}' AND state IN (${states})
    )`
    const isVisible = `organization_id IS DISTINCT FROM '${organizationId}' OR current_setting('care.mover', true) = 'on' OR NOT ${isHidden}`
    return [
      ...showAgain(table),
      `CREATE POLICY care_all ON ${table} USING (true)`,
      `CREATE POLICY care_hidden ON ${table} AS RESTRICTIVE USING (${isVisible}) WITH CHECK (${name === "audit_waiting" ? "true" : isVisible})`,
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
      `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`
    ]
  })

/** Removes what `hideRows` made. */
export const showRows = (sql: SqlClient.SqlClient, schema: string) => changeEach(sql, schema, showAgain)

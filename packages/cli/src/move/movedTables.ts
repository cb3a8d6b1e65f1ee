import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** A table whose rows move with their organization. */
export interface MovedTable {
  readonly name: string
  /** The column with the id of the organization. */
  readonly owner: string
  /** The columns of its primary key, or else of a unique constraint. Of a partitioned table its partitions have them. */
  readonly key: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  /** Whether its rows have bytes, and may be long. */
  readonly isLong: boolean
}

/**
 * Returns the tables of a schema that have rows of organizations, from the catalog, so that a new table moves, too. Those of the audit are
 * not among them: it goes on while an organization is frozen (`copyAudit`).
 */
export const movedTables = (sql: SqlClient.SqlClient, schema: string) =>
  sql<MovedTable>`
    SELECT relname AS name, owner.attname AS owner,
           ARRAY(
             SELECT attname FROM pg_attribute
             WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
           )::text[] AS columns,
           ARRAY(
             SELECT attname FROM (
               SELECT indrelid, indkey::int2[] AS numbers FROM pg_index
               WHERE indrelid IN (pg_class.oid, (SELECT partdefid FROM pg_partitioned_table WHERE partrelid = pg_class.oid))
                 AND indisunique AND indpred IS NULL AND indexprs IS NULL
               ORDER BY indisprimary DESC LIMIT 1
             ) AS chosen
             CROSS JOIN unnest(numbers) WITH ORDINALITY AS parts (number, position)
             JOIN pg_attribute ON attrelid = indrelid AND attnum = parts.number
             ORDER BY position
           )::text[] AS key,
           EXISTS (
             SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND atttypid = 'bytea'::regtype AND NOT attisdropped
           ) AS "isLong"
    FROM pg_class JOIN pg_attribute AS owner ON owner.attrelid = pg_class.oid AND NOT owner.attisdropped
    WHERE relnamespace = ${schema}::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND owner.attname = CASE relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END
      AND relname NOT IN ('organization_moves', 'organization_changes') AND relname NOT LIKE 'audit\\_%'
    ORDER BY relname
  `.pipe(Effect.orDie)

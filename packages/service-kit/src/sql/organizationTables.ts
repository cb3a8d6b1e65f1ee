import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** A table with rows of organizations. Of a partitioned table it is one for each partition. */
export interface OrganizationTable {
  readonly name: string
  /** The columns of its primary key; none if it has no primary key. */
  readonly key: ReadonlyArray<string>
  /** Whether the role of the service may delete its rows. */
  readonly mayRemove: boolean
  /** The tables that its foreign keys name. */
  readonly references: ReadonlyArray<string>
}

/** Returns the tables of a schema that have rows of organizations, from the catalog, so that a new table is not forgotten. */
export const organizationTables = (sql: SqlClient.SqlClient, schema: string) =>
  sql<OrganizationTable>`
    SELECT relname AS name, has_table_privilege(pg_class.oid, 'DELETE') AS "mayRemove",
           ARRAY(
             SELECT attname FROM pg_index
             CROSS JOIN unnest(indkey::int2[]) WITH ORDINALITY AS part (number, position)
             JOIN pg_attribute AS part_column ON part_column.attrelid = indrelid AND part_column.attnum = part.number
             WHERE indrelid = pg_class.oid AND indisprimary
             ORDER BY position
           )::text[] AS key,
           ARRAY(
             SELECT target.relname FROM pg_constraint JOIN pg_class AS target ON target.oid = confrelid
             WHERE conrelid = pg_class.oid AND contype = 'f'
           )::text[] AS references
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND NOT attisdropped
    WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r' AND attname = 'organization_id'
      AND relname <> 'organization_moves'
    ORDER BY relname
  `.pipe(Effect.orDie)

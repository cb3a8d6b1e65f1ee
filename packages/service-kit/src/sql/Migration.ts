import { Effect, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

export type Change = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

/** A migration that PostgreSQL refuses inside a transaction. It may be killed between its statements, and is run again then. */
export class OutsideTransaction {
  readonly change: Change

  constructor(change: Change) {
    this.change = change
  }
}

export type Migration = Change | OutsideTransaction

const concurrent =
  (kind: "INDEX" | "UNIQUE INDEX") =>
  (name: string, definition: string): OutsideTransaction =>
    new OutsideTransaction(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [existing] = yield* sql<{ isValid: boolean }>`
        SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass(quote_ident(${name}))
      `
        if (existing?.isValid === true) return
        if (existing !== undefined) yield* sql`DROP INDEX CONCURRENTLY ${sql(name)}`
        yield* sql`CREATE ${sql.literal(kind)} CONCURRENTLY ${sql(name)} ON ${sql.literal(definition)}`
      })
    )

/**
 * Makes a migration that adds an index to a large table without blocking writers. It builds an invalid index of a killed build again.
 *
 * ```ts
 * export default concurrentIndex("comments_newest", "comments (organization_id, case_id, created_at DESC)")
 * ```
 */
export const concurrentIndex = concurrent("INDEX")

/** Makes a migration that adds a unique index in the same way. It never succeeds while rows are equal. */
export const concurrentUniqueIndex = concurrent("UNIQUE INDEX")

/**
 * Runs a change that waits for each lock for a second only, and tries again later: all statements on a table wait behind it meanwhile. A
 * transaction around it stays open without locks of the table, because it goes back to a savepoint.
 */
export const lockingBriefly = Effect.fnUntraced(function* (change: Change) {
  const sql = yield* SqlClient.SqlClient
  yield* sql
    .withTransaction(Effect.andThen(sql`SET LOCAL lock_timeout = '1s'`, change))
    .pipe(
      Effect.retry({ while: ({ reason }) => reason._tag === "LockTimeoutError", schedule: Schedule.spaced("1 second") })
    )
})

/**
 * Makes a migration that adds the index `<table>_<name>` to a large table with partitions, without blocking writers. It is built for each
 * partition, and later partitions have it from the beginning.
 *
 * ```ts
 * export default partitionedIndex("events", "by_type", "(organization_id, type)")
 * ```
 */
export const partitionedIndex = (table: string, name: string, definition: string): OutsideTransaction =>
  new OutsideTransaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const index = `${table}_${name}`
      const [existing] = yield* sql`SELECT FROM pg_class WHERE oid = to_regclass(quote_ident(${index}))`
      if (existing !== undefined) return
      const partitions = yield* sql<{ partition: string }>`
        SELECT p.relname AS partition FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
        WHERE i.inhparent = to_regclass(quote_ident(${table}))
        ORDER BY p.relname
      `
      for (const { partition } of partitions) {
        yield* concurrentIndex(`${partition}_${name}`, `${partition} ${definition}`).change
      }
      // A partition that came meanwhile is empty or small. All have an index when the statements of a dry run are run by hand.
      yield* lockingBriefly(
        Effect.asVoid(
          sql`${sql.literal(`
            DO $$
              DECLARE part text;
              BEGIN
                CREATE INDEX ${index} ON ONLY ${table} ${definition};
                FOR part IN
                  SELECT p.relname FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid WHERE i.inhparent = '${table}'::regclass
                LOOP
                  EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %I ', part || '_${name}', part) || $definition$${definition}$definition$;
                  EXECUTE format('ALTER INDEX ${index} ATTACH PARTITION %I', part || '_${name}');
                END LOOP;
              END
            $$
          `)}`
        )
      )
    })
  )

import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { inEveryDatabase } from "../database.ts"
import { encodingsOf } from "./markers.ts"

/**
 * Makes the database copy every row that a service writes from now on, so that rows which are changed or deleted later, such as payloads of
 * jobs, are found, too. Returns the names of the tables.
 */
export const recordEveryRow = inEveryDatabase(
  Effect.fnUntraced(function* (sql, service) {
    // Services may share a database.
    yield* sql`CREATE SCHEMA IF NOT EXISTS canary`
    yield* sql`CREATE TABLE IF NOT EXISTS canary.rows (place text NOT NULL, row jsonb NOT NULL)`
    yield* sql`
      CREATE OR REPLACE FUNCTION canary.keep() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        -- The row of a partition is one of its table.
        INSERT INTO canary.rows VALUES (TG_TABLE_SCHEMA || '.' || coalesce((
          SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhparent WHERE inhrelid = TG_RELID
        ), TG_TABLE_NAME), to_jsonb(NEW));
        RETURN NULL;
      END $$
    `
    const tables = yield* sql<{ name: string }>`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = ${service}::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname <> 'migrations'
    `
    for (const { name } of tables) {
      yield* sql`
        CREATE TRIGGER canary AFTER INSERT OR UPDATE ON ${sql(`${service}.${name}`)}
        FOR EACH ROW EXECUTE FUNCTION canary.keep()
      `
    }
    return tables.map(({ name }) => `${service}.${name}`)
  })
)

/** Returns the tables in which a row was written. */
export const writtenTables = Effect.map(
  inEveryDatabase(
    (sql, service) => sql<{ place: string }>`
      SELECT DISTINCT place FROM canary.rows WHERE starts_with(place, ${`${service}.`})
    `
  ),
  (rows) => rows.map(({ place }) => place)
)

/** Returns the columns (`cases.people.email`) that ever contained a marker in any encoding. */
export const columnsWith = (marker: string) => {
  const [plain = "", hex = "", ...base64] = encodingsOf(marker)
  return Effect.map(
    inEveryDatabase(
      (sql, service) => sql<{ found: string }>`
        SELECT DISTINCT place || '.' || key AS found FROM canary.rows, jsonb_each_text(row)
        WHERE starts_with(place, ${`${service}.`})
          AND (EXISTS (SELECT FROM unnest(${[plain, hex]}::text[]) AS form WHERE position(form IN lower(value)) > 0)
            OR EXISTS (SELECT FROM unnest(${base64}::text[]) AS form WHERE position(form IN value) > 0))
        ORDER BY 1
      `
    ),
    (rows) => rows.map(({ found }) => found)
  )
}

/**
 * Simulates a leak, so that a test can check that leaks are found: writes a text into a failed job and a stored answer of each service, as
 * plain text, in hexadecimal and in base64.
 */
export const plantLeak = (text: string) =>
  inEveryDatabase(
    Effect.fnUntraced(function* (sql, service) {
      const id = randomUUID()
      const base64 = Buffer.from(`a job of ${text}`).toString("base64")
      yield* sql`
          INSERT INTO ${sql(`${service}.jobs`)}
            (id, queue_name, organization_id, version, payload, request_id, state, last_failure, due_at, ended_at)
          VALUES (${id}, 'canary', ${id}, 1, ${Buffer.from(`a ${text}`)}, ${text}, 'failed', ${base64}, now(), now())
        `
      yield* sql`
          INSERT INTO ${sql(`${service}.idempotency_keys`)}
            (organization_id, operation, key, body_hash, ids, holder, leased_until, answer, created_at)
          VALUES (${id}, 'canary', 'canary', '', '{}', ${id}, now(), ${JSON.stringify({ text })}, now())
        `
      yield* sql`DELETE FROM ${sql(`${service}.jobs`)} WHERE id = ${id}`
      return yield* sql`DELETE FROM ${sql(`${service}.idempotency_keys`)} WHERE holder = ${id}`
    })
  )

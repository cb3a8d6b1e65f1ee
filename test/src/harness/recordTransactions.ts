import { Effect } from "effect"
import { inEveryDatabase } from "./database.ts"
import { patientTables } from "./openEverything.ts"

// The tables of a service with data of patients.
const patientTablesOf = (service: string): ReadonlyArray<string> => [
  ...(patientTables[service] ?? []).map(({ table }) => table),
  ...(service === "cases" ? ["document_pieces"] : [])
]

// Columns that only track the services' own work. (`is_done` of a cancellation changes by itself if the provider's event arrives before its
// response.)
const bookkeeping = ["awaits_event", "awaits_notice", "is_done", "is_followed", "updated_at"]

/** The tables that may be changed in a transaction without an audit record, with the reason. */
export const unauditedTables: Readonly<Record<string, string>> = {
  "auth.messages": "what a sandbox would have sent, and the mailbox of development",
  "auth.one_time_codes": "a code that was sent, and attempts at it: that somebody signed in is recorded",
  "cases.order_contents": "the body that the pharmacy is going to be sent: the order and its hand-over are recorded",
  "cases.people": "a copy of what auth keeps, which records it",
  "payments.case_owners": "a copy of what cases keeps, which records it",
  "payments.payment_intents": "what the gateway told of money: what it changes about a payment is recorded",
  "scheduling.bookings": "what the provider is going to be asked: the appointment is recorded",
  "scheduling.case_snapshots": "a copy of what cases keeps, which records it"
}

/** Makes the database note which transactions change data of patients from now on, and which of them write an audit record. */
export const recordTransactions = inEveryDatabase(
  Effect.fnUntraced(function* (sql, service) {
    // Services may share a database.
    yield* sql`CREATE SCHEMA IF NOT EXISTS watch`
    yield* sql`CREATE TABLE IF NOT EXISTS watch.writes (tx xid8, place text, PRIMARY KEY (tx, place))`
    yield* sql.unsafe(`
      CREATE OR REPLACE FUNCTION watch.keep() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        DECLARE
          is_same boolean := TG_OP = 'UPDATE' AND
            to_jsonb(NEW) - '{${bookkeeping.join()}}'::text[] = to_jsonb(OLD) - '{${bookkeeping.join()}}'::text[];
          is_staff boolean := TG_TABLE_NAME = 'users' AND to_jsonb(NEW) ->> 'role' <> 'USER';
        BEGIN
          IF NOT is_same AND NOT is_staff THEN
            INSERT INTO watch.writes VALUES (pg_current_xact_id(), TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME)
            ON CONFLICT DO NOTHING;
          END IF;
          RETURN NULL;
        END
      $$
    `)
    return yield* Effect.forEach([...patientTablesOf(service), "audit_waiting"], (table) =>
      sql.unsafe(`
        CREATE TRIGGER watch AFTER INSERT OR UPDATE OR DELETE ON ${service}.${table}
        FOR EACH ROW EXECUTE FUNCTION watch.keep()
      `)
    )
  })
)

/** Reads the tables that were changed in transactions with an audit record, and in transactions without one. */
export const changedTables = Effect.map(
  inEveryDatabase(
    (sql, service) => sql<{ place: string; isRecorded: boolean }>`
      SELECT DISTINCT place, EXISTS (
        SELECT FROM watch.writes record WHERE record.tx = changed.tx AND record.place LIKE '%.audit_waiting'
      ) AS "isRecorded"
      FROM watch.writes changed
      WHERE starts_with(place, ${`${service}.`}) AND place NOT LIKE '%.audit_waiting' ORDER BY place
    `
  ),
  (rows) => {
    const placesOf = (isRecorded: boolean) =>
      rows.filter((row) => row.isRecorded === isRecorded).map(({ place }) => place)
    return { recorded: placesOf(true), unrecorded: placesOf(false) }
  }
)

import { OutsideTransaction } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The events by months. `monthly_events` has a partition for each month, which is dropped as a whole when its events are old. The table of
 * version 1, `events`, is the first partition, for the months until the one after the next: processes of that version go on to use it under
 * its own name, and both versions see the same rows. Later months have the same keys, each for itself: an entry of activity becomes an event
 * once, and positions come from a sequence.
 */
export default new OutsideTransaction(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // All who use events wait behind a statement that waits for its lock: it waits for a second, and is tried again.
    const withBriefLock = <E extends { readonly reason: { readonly _tag: string } }>(
      change: Effect.Effect<unknown, E>
    ) =>
      sql
        .withTransaction(Effect.andThen(sql`SET LOCAL lock_timeout = '1s'`, change))
        .pipe(Effect.retry({ while: ({ reason }) => reason._tag === "LockTimeoutError" }))
    // With a valid constraint nobody waits while the table is read, and a killed migration goes on with the same month.
    yield* sql`
      CREATE OR REPLACE PROCEDURE bound_events() LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        DECLARE
          ends timestamptz := (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months') AT TIME ZONE 'UTC';
        BEGIN
          IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'events'::regclass AND conname = 'events_until') THEN
            EXECUTE format('ALTER TABLE events ADD CONSTRAINT events_until CHECK (created_at < %L) NOT VALID', ends);
          END IF;
        END
      $$
    `
    yield* withBriefLock(sql`CALL bound_events()`)
    yield* sql`ALTER TABLE events VALIDATE CONSTRAINT events_until`
    // The end of the first partition, as its constraint has it.
    yield* sql`
      CREATE OR REPLACE FUNCTION events_until() RETURNS timestamptz LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
        SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''')::timestamptz FROM pg_constraint
        WHERE conrelid = 'events'::regclass AND conname = 'events_until'
      $$
    `
    yield* sql`CREATE TABLE IF NOT EXISTS monthly_events (LIKE events) PARTITION BY RANGE (created_at)`
    yield* sql`
      CREATE OR REPLACE PROCEDURE attach_events() LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        BEGIN
          IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = 'events'::regclass) THEN
            EXECUTE format(
              'ALTER TABLE monthly_events ATTACH PARTITION events FOR VALUES FROM (MINVALUE) TO (%L)', events_until()
            );
          END IF;
        END
      $$
    `
    yield* withBriefLock(sql`CALL attach_events()`)
    // An event of a month without a partition of its own goes here, so that nothing is lost.
    yield* sql`
      CREATE TABLE IF NOT EXISTS events_default PARTITION OF monthly_events (
        PRIMARY KEY (organization_id, id), UNIQUE (organization_id, position)
      ) DEFAULT
    `
    // Runs as the owner of the tables, because the service may have a role that owns none. It waits for no lock for long: all who use events
    // wait behind it.
    yield* sql`
      CREATE OR REPLACE PROCEDURE add_events_month(new_month integer) LANGUAGE plpgsql SECURITY DEFINER
      SET search_path FROM CURRENT SET lock_timeout = '1s' AS $$
        DECLARE
          part text := 'events_' || new_month;
          starts timestamptz;
        BEGIN
          IF new_month % 100 NOT BETWEEN 1 AND 12 OR new_month / 100 NOT BETWEEN 2000 AND 9999 THEN
            RAISE EXCEPTION '% is not a month such as 202605', new_month;
          END IF;
          starts := make_timestamptz(new_month / 100, new_month % 100, 1, 0, 0, 0, 'UTC');
          IF starts >= events_until() AND to_regclass(part) IS NULL THEN
            EXECUTE format(
              'CREATE TABLE %I PARTITION OF monthly_events (PRIMARY KEY (organization_id, id), UNIQUE (organization_id, position))
               FOR VALUES FROM (%L) TO (%L)',
              part, starts, (starts AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'
            );
            EXECUTE format('CREATE INDEX ON %I (organization_id, case_id, position) WHERE case_id IS NOT NULL', part);
            EXECUTE format('CREATE INDEX ON %I (organization_id, created_at, id)', part);
            EXECUTE format('CREATE INDEX ON %I (created_at)', part);
          END IF;
        END
      $$
    `
    // No event is dropped before the deliveries of its month.
    yield* sql`
      CREATE OR REPLACE PROCEDURE drop_events_months(before timestamptz) LANGUAGE plpgsql SECURITY DEFINER
      SET search_path FROM CURRENT SET lock_timeout = '1s' AS $$
        DECLARE
          part text;
          ends timestamptz;
        BEGIN
          FOR part IN
            SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
            WHERE inhparent = 'monthly_events'::regclass AND relname ~ '^events_[0-9]{6}$'
            ORDER BY relname
          LOOP
            ends := (to_timestamp(right(part, 6) || '+00', 'YYYYMMTZH') AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
            EXIT WHEN ends > before OR EXISTS (SELECT FROM webhook_deliveries WHERE created_at < ends);
            EXECUTE format('DROP TABLE %I', part);
          END LOOP;
        END
      $$
    `
  })
)

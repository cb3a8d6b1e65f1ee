import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The audit by months. `audit_entries` has a row for each linked record, and `audit_entry_cases` one for each case of a list. Both have a
 * partition for each month: that in which a record was linked, so that the numbers of a chain in a month have no gap, and a month that is
 * over gets no more. A record waits in `audit_waiting` until it is linked. `audit_checkpoints` has the state of each chain when a month
 * ended; `seal` is the same, sealed by a key that the database does not have. A month whose records are in the files of an archive has no
 * partition any more (`archived_at`, which is sealed, too).
 *
 * The tables of version 1 (`audit_records`, `audit_shown`, `audit_links`, `audit_unlinked`) keep what they have, and what processes of that
 * version go on to write. Both versions extend the same chains, whose ends are in `audit_heads`.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE audit_heads ADD COLUMN month integer`
  yield* sql`
    CREATE TABLE audit_waiting (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      at timestamptz(3) NOT NULL,
      action text NOT NULL,
      actor_type text NOT NULL,
      actor_id text,
      case_id uuid,
      user_id uuid,
      request_id text NOT NULL,
      kinds text[] NOT NULL,
      shown_case_ids uuid[],
      shown_user_ids uuid[],
      PRIMARY KEY (organization_id, id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)
  `
  yield* sql`CREATE INDEX audit_waiting_by_user ON audit_waiting (organization_id, user_id)`
  // An id that is a UUID takes 16 bytes instead of 37. A bit of `kinds` is a kind of data. The order of the columns leaves no gaps.
  yield* sql`
    CREATE TABLE audit_entries (
      number bigint NOT NULL CHECK (number > 0),
      at timestamptz(3) NOT NULL,
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      month integer NOT NULL,
      kinds integer NOT NULL,
      case_id uuid,
      user_id uuid,
      actor_uuid uuid,
      request_uuid uuid,
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      action text NOT NULL,
      actor_type text NOT NULL,
      actor_name text,
      request_name text,
      shown_case_ids uuid[],
      shown_user_ids uuid[],
      PRIMARY KEY (organization_id, action, id, month),
      UNIQUE (organization_id, number, month)
    ) PARTITION BY RANGE (month)
  `
  // Equal keys share an index entry, which ids would prevent: the records of a week are sorted when they are read.
  yield* sql`
    CREATE INDEX audit_entries_by_case ON audit_entries (organization_id, case_id, date_trunc('week', at AT TIME ZONE 'UTC'))
    WHERE case_id IS NOT NULL
  `
  yield* sql`
    CREATE INDEX audit_entries_by_user ON audit_entries (organization_id, user_id, date_trunc('week', at AT TIME ZONE 'UTC'))
    WHERE user_id IS NOT NULL
  `
  yield* sql`
    CREATE TABLE audit_entry_cases (
      at timestamptz(3) NOT NULL,
      organization_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      month integer NOT NULL,
      case_id uuid NOT NULL,
      user_id uuid,
      is_first_of_user boolean NOT NULL,
      action text NOT NULL
    ) PARTITION BY RANGE (month)
  `
  yield* sql`
    CREATE INDEX audit_entry_cases_by_case ON audit_entry_cases (organization_id, case_id, date_trunc('week', at AT TIME ZONE 'UTC'))
  `
  yield* sql`
    CREATE INDEX audit_entry_cases_by_user ON audit_entry_cases (organization_id, user_id, date_trunc('week', at AT TIME ZONE 'UTC'))
    WHERE is_first_of_user AND user_id IS NOT NULL
  `
  // A month without a partition of its own goes here, so that nothing is lost.
  yield* sql`CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT`
  yield* sql`CREATE TABLE audit_entry_cases_default PARTITION OF audit_entry_cases DEFAULT`
  yield* sql`
    CREATE TABLE audit_checkpoints (
      organization_id uuid NOT NULL,
      month integer NOT NULL,
      count_before bigint NOT NULL,
      hash_before bytea NOT NULL,
      count bigint NOT NULL,
      hash bytea NOT NULL,
      seal text NOT NULL,
      stored_at timestamptz(3),
      archived_at timestamptz(3),
      PRIMARY KEY (organization_id, month)
    )
  `
  for (const table of ["audit_entries", "audit_entries_default", "audit_entry_cases", "audit_entry_cases_default"]) {
    yield* sql`
      CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ${sql(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
    `
    yield* sql`REVOKE UPDATE, DELETE, TRUNCATE ON ${sql(table)} FROM CURRENT_USER`
  }
  yield* sql`
    CREATE TRIGGER refuse_change BEFORE DELETE OR TRUNCATE ON audit_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
  `
  yield* sql`REVOKE UPDATE, DELETE, TRUNCATE ON audit_checkpoints FROM CURRENT_USER`
  // For the rotation of the key, and for archives.
  yield* sql`GRANT UPDATE (seal, stored_at, archived_at) ON audit_checkpoints TO CURRENT_USER`
  // Runs as the owner of the tables, because the service may have a role that owns none. It waits for no lock for long: all who write wait
  // behind it.
  yield* sql`
    CREATE PROCEDURE add_audit_month(new_month integer) LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT SET lock_timeout = '1s' AS $$
      DECLARE
        parent text;
        part text;
      BEGIN
        IF new_month % 100 NOT BETWEEN 1 AND 12 OR new_month / 100 NOT BETWEEN 2000 AND 9999 THEN
          RAISE EXCEPTION '% is not a month such as 202605', new_month;
        END IF;
        FOREACH parent IN ARRAY ARRAY['audit_entries', 'audit_entry_cases'] LOOP
          part := parent || '_' || new_month;
          IF to_regclass(part) IS NULL THEN
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%s) TO (%s)', part, parent, new_month, new_month + 1);
            EXECUTE format(
              'CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
               FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()', part
            );
            EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %I FROM CURRENT_USER', part);
          END IF;
        END LOOP;
      END
    $$
  `
  // Removes what is in an archive, and nothing else: every record of the month has to be between the ends of an archived checkpoint.
  yield* sql`
    CREATE PROCEDURE remove_audit_month(old_month integer) LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT SET lock_timeout = '1s' AS $$
      DECLARE
        parent text;
        part text;
      BEGIN
        IF EXISTS (SELECT FROM audit_heads WHERE month <= old_month) OR EXISTS (
          SELECT FROM audit_entries e WHERE e.month = old_month AND NOT EXISTS (
            SELECT FROM audit_checkpoints c
            WHERE c.organization_id = e.organization_id AND c.month = old_month AND c.archived_at IS NOT NULL
              AND e.number > c.count_before AND e.number <= c.count
          )
        ) THEN
          RAISE EXCEPTION 'Not all records of % are in an archive', old_month;
        END IF;
        FOREACH parent IN ARRAY ARRAY['audit_entries', 'audit_entry_cases'] LOOP
          part := parent || '_' || old_month;
          IF to_regclass(part) IS NOT NULL THEN
            EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, part);
            EXECUTE format('DROP TABLE %I', part);
          END IF;
        END LOOP;
      END
    $$
  `
  // The present month and the next ones. Each service adds later ones ahead of time.
  for (const months of [0, 1, 2]) {
    yield* sql`
      CALL add_audit_month(
        to_char(now() AT TIME ZONE 'UTC' + ${sql.literal(String(months))} * interval '1 month', 'YYYYMM')::integer
      )
    `
  }
})

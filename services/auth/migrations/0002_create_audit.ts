import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Who read and changed patients' data, and the hash chain that proves that no record was changed since. Records, what they
 * show, and links are only ever added: the service's role cannot change or remove them, and a trigger refuses it to roles with
 * more rights. A record waits in `audit_unlinked` from the statement that adds it until it is linked.
 *
 * A record may be that of a list, and then names everything that the list showed. `audit_shown` finds such records by case and
 * by patient.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE audit_records (
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
    )
  `
  yield* sql`CREATE INDEX audit_records_by_action ON audit_records (organization_id, action, at, id)`
  yield* sql`
    CREATE INDEX audit_records_by_case ON audit_records (organization_id, case_id, action, at, id)
    WHERE case_id IS NOT NULL
  `
  yield* sql`
    CREATE INDEX audit_records_by_user ON audit_records (organization_id, user_id, action, at, id)
    WHERE user_id IS NOT NULL
  `
  yield* sql`
    CREATE INDEX audit_records_by_case_and_user ON audit_records (organization_id, case_id, user_id, action, at, id)
    WHERE case_id IS NOT NULL AND user_id IS NOT NULL
  `
  yield* sql`
    CREATE TABLE audit_shown (
      organization_id uuid NOT NULL,
      record_id uuid NOT NULL,
      at timestamptz(3) NOT NULL,
      action text NOT NULL,
      case_id uuid NOT NULL,
      user_id uuid,
      is_first_of_user boolean NOT NULL
    )
  `
  yield* sql`CREATE INDEX audit_shown_by_case ON audit_shown (organization_id, case_id, action, at, record_id)`
  yield* sql`
    CREATE INDEX audit_shown_by_user ON audit_shown (organization_id, user_id, action, at, record_id)
    WHERE is_first_of_user AND user_id IS NOT NULL
  `
  yield* sql`
    CREATE INDEX audit_shown_by_case_and_user ON audit_shown (organization_id, case_id, user_id, action, at, record_id)
    WHERE user_id IS NOT NULL
  `
  yield* sql`
    CREATE TABLE audit_links (
      organization_id uuid NOT NULL,
      number integer NOT NULL CHECK (number > 0),
      record_id uuid NOT NULL,
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      PRIMARY KEY (organization_id, number),
      UNIQUE (organization_id, record_id)
    )
  `
  yield* sql`
    CREATE TABLE audit_heads (
      organization_id uuid PRIMARY KEY,
      count integer NOT NULL,
      hash bytea NOT NULL
    )
  `
  yield* sql`
    CREATE TABLE audit_unlinked (
      organization_id uuid NOT NULL,
      record_id uuid NOT NULL,
      size integer NOT NULL DEFAULT 1,
      PRIMARY KEY (organization_id, record_id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)
  `
  yield* sql`
    CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The audit is only ever added to' USING ERRCODE = 'insufficient_privilege';
      END
    $$
  `
  yield* sql`
    CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_records
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
  `
  yield* sql`
    CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_shown
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
  `
  yield* sql`
    CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_links
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
  `
  yield* sql`REVOKE UPDATE, DELETE, TRUNCATE ON audit_records, audit_shown, audit_links FROM CURRENT_USER`
})

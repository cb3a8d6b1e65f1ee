import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The organizations that move between cells. In the cell that one leaves it is `COPYING`, then `DRAINING`
 * (its background work ends), `FROZEN` (its last changes are copied), `LEAVING` (the other cell gets it), `MOVED` (its rows are hidden, but
 * for its audit), `CLEARING` (all are hidden, and removed), and `GONE`. In the other cell it is `ARRIVING`, then `AUDITING` until its audit is
 * complete. `DRAINING` and `FROZEN` end by themselves at `until`. `absent_organizations` has those that are in another cell, and in which.
 *
 * `require_here` raises `CM001` for an organization that is frozen or leaving, and `CM002` for one of another cell. It shares a lock for which
 * `set_move` waits, so that no transaction that wrote before is open when the state has changed. `watch_move` does the same for each row
 * that is changed, and notes its key in `organization_changes`. The mover makes its triggers, for one organization; their arguments are that,
 * the table (that of a partition is another), and the columns of its key.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE organization_moves (
      organization_id uuid PRIMARY KEY,
      cell text NOT NULL,
      state text NOT NULL CHECK (
        state IN ('COPYING', 'DRAINING', 'FROZEN', 'LEAVING', 'MOVED', 'CLEARING', 'GONE', 'ARRIVING', 'AUDITING')
      ),
      until timestamptz(3) NOT NULL DEFAULT 'infinity'
    )
  `
  // Triggers and policies are those of one move: a second one does not begin.
  yield* sql`CREATE UNIQUE INDEX organization_moves_one ON organization_moves ((true)) WHERE state <> 'GONE'`
  yield* sql`
    CREATE TABLE organization_changes (
      organization_id uuid NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      table_name text NOT NULL,
      key jsonb NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  // What hashes the idempotency keys of an organization that came from another cell.
  yield* sql`
    CREATE TABLE moved_idempotency_secrets (organization_id uuid PRIMARY KEY, secret text NOT NULL)
  `
  // By which a move finds out whether the other cell accepts the secrets of this one. Stored when the service starts.
  yield* sql`
    CREATE TABLE secret_fingerprints (name text NOT NULL, fingerprint text NOT NULL, PRIMARY KEY (name, fingerprint))
  `
  yield* sql`
    CREATE VIEW absent_organizations AS
    SELECT organization_id, cell FROM organization_moves WHERE state IN ('MOVED', 'CLEARING', 'GONE', 'ARRIVING')
  `
  // The organizations whose background work does not begin here.
  yield* sql`
    CREATE VIEW standing_organizations AS
    SELECT organization_id FROM organization_moves
    WHERE state IN ('DRAINING', 'FROZEN', 'LEAVING', 'MOVED', 'CLEARING', 'GONE', 'ARRIVING') AND until > clock_timestamp()
  `
  yield* sql`
    CREATE FUNCTION set_move(moving uuid, new_cell text, new_state text, new_until timestamptz DEFAULT 'infinity')
    RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' move ' || moving, 0));
        INSERT INTO organization_moves VALUES (moving, new_cell, new_state, new_until)
        ON CONFLICT (organization_id) DO UPDATE SET cell = excluded.cell, state = excluded.state, until = excluded.until;
      END
    $$
  `
  yield* sql`
    CREATE FUNCTION require_here(moving uuid) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      DECLARE
        move organization_moves;
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(hashtextextended(current_schema() || ' move ' || moving, 0));
        SELECT * INTO move FROM organization_moves WHERE organization_id = moving;
        IF move.state IN ('MOVED', 'CLEARING', 'GONE', 'ARRIVING') THEN
          RAISE EXCEPTION 'The organization is in another cell' USING ERRCODE = 'CM002', DETAIL = move.cell;
        ELSIF move.state IN ('FROZEN', 'LEAVING') AND move.until > clock_timestamp() THEN
          RAISE EXCEPTION 'The organization moves to another cell' USING ERRCODE = 'CM001', DETAIL = move.cell;
        END IF;
      END
    $$
  `
  yield* sql`
    CREATE FUNCTION watch_move() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        PERFORM require_here(TG_ARGV[0]::uuid);
        INSERT INTO organization_changes (organization_id, table_name, key)
        SELECT TG_ARGV[0]::uuid, TG_ARGV[1], jsonb_object_agg(key_column, changed -> key_column)
        FROM (VALUES (1, to_jsonb(OLD)), (2, to_jsonb(NEW))) AS versions (number, changed)
        CROSS JOIN unnest(TG_ARGV[2:]) AS key_column
        WHERE changed IS NOT NULL
        GROUP BY number;
        RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
      END
    $$
  `
})

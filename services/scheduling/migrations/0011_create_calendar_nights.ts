import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The index by which the list of appointments finds an event that lasts beyond the last day of the list, though it may end at any
 * time later: by the night that follows that day.
 *
 * Nights are the leaves of a binary tree over the days of the years 1 to 9999, in UTC: the parent of n is n / 2. An event is kept
 * at the few nodes that together are all nights over which it lasts. So each of these nights has it at one of its 23 ancestors,
 * once, and the events of a node are sorted as the list is. A trigger keeps the rows, because both snapshots of cases and changes of
 * events decide what is listed. It has a `search_path` of its own: operators change rows under another.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE calendar_nights (
      organization_id uuid NOT NULL,
      night integer NOT NULL,
      ends_at timestamptz(3) NOT NULL,
      event_id uuid NOT NULL,
      user_id uuid NOT NULL,
      PRIMARY KEY (organization_id, night, ends_at, event_id)
    )
  `
  yield* sql`
    CREATE INDEX calendar_nights_of_patient ON calendar_nights (organization_id, user_id, night, ends_at, event_id)
  `
  // The night in which the day of a moment begins.
  yield* sql`
    CREATE FUNCTION night_before(moment timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE
    RETURN (1 << 22) + ((moment AT TIME ZONE 'UTC')::date - date '0001-01-01')
  `
  yield* sql`
    CREATE FUNCTION nights_between(first integer, last integer) RETURNS SETOF integer LANGUAGE sql IMMUTABLE
    BEGIN ATOMIC
      WITH RECURSIVE level (low, high) AS (
        SELECT first, last WHERE first <= last
        UNION ALL
        SELECT (low + 1) >> 1, (high - 1) >> 1 FROM level WHERE (low + 1) >> 1 <= (high - 1) >> 1
      )
      SELECT low FROM level WHERE low & 1 = 1
      UNION ALL
      SELECT high FROM level WHERE high & 1 = 0;
    END
  `
  yield* sql`
    CREATE FUNCTION keep_nights() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        DELETE FROM calendar_nights
        WHERE organization_id = OLD.organization_id AND ends_at = OLD.ends_at AND event_id = OLD.id
          AND night IN (SELECT nights_between(night_before(OLD.starts_at) + 1, night_before(OLD.ends_at)));
      END IF;
      IF TG_OP <> 'DELETE' AND NOT NEW.is_deleted AND NOT NEW.of_archived_case THEN
        INSERT INTO calendar_nights (organization_id, night, ends_at, event_id, user_id)
        SELECT NEW.organization_id, night, NEW.ends_at, NEW.id, NEW.user_id
        FROM nights_between(night_before(NEW.starts_at) + 1, night_before(NEW.ends_at)) AS night;
      END IF;
      RETURN NULL;
    END
    $$
  `
  yield* sql`
    CREATE TRIGGER keep_nights AFTER INSERT OR UPDATE OR DELETE ON calendar_events
    FOR EACH ROW EXECUTE FUNCTION keep_nights()
  `
})

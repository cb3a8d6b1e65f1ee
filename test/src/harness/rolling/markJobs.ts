import { type ProcessName, services } from "@care/sandbox"
import { Effect } from "effect"
import { inDatabase } from "../database.ts"

/**
 * Records in the database from now on which role stored each job, and which one completed it. While a service is in `marks.mixed`, only the
 * version that did not store a job can claim it.
 */
export const markJobs = inDatabase("auth", (sql) =>
  Effect.gen(function* () {
    yield* sql`CREATE SCHEMA marks`
    yield* sql`
      CREATE TABLE marks.jobs (
        service text, id uuid, queue text, made_by text, completed_by text, PRIMARY KEY (service, id)
      )
    `
    yield* sql`
      CREATE FUNCTION marks.made() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO marks.jobs VALUES (TG_TABLE_SCHEMA, NEW.id, NEW.queue_name, session_user);
        RETURN NULL;
      END $$
    `
    yield* sql`CREATE TABLE marks.mixed (service text)`
    yield* sql`
      CREATE FUNCTION marks.claimed() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM marks.mixed WHERE service = TG_TABLE_SCHEMA) AND EXISTS (
          SELECT FROM marks.jobs
          WHERE service = TG_TABLE_SCHEMA AND id = NEW.id AND (made_by ~ '_2$') = (session_user ~ '_2$')
        ) THEN RETURN NULL; END IF;
        RETURN NEW;
      END $$
    `
    yield* sql`
      CREATE FUNCTION marks.completed() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE marks.jobs SET completed_by = session_user WHERE service = TG_TABLE_SCHEMA AND id = NEW.id;
        RETURN NULL;
      END $$
    `
    for (const service of services) {
      yield* sql`
        CREATE TRIGGER made AFTER INSERT ON ${sql(service)}.jobs FOR EACH ROW EXECUTE FUNCTION marks.made()
      `
      yield* sql`
        CREATE TRIGGER claimed BEFORE UPDATE OF state ON ${sql(service)}.jobs
        FOR EACH ROW WHEN (OLD.state = 'pending' AND NEW.state = 'running') EXECUTE FUNCTION marks.claimed()
      `
      yield* sql`
        CREATE TRIGGER completed AFTER UPDATE OF state ON ${sql(service)}.jobs
        FOR EACH ROW WHEN (NEW.state = 'completed') EXECUTE FUNCTION marks.completed()
      `
    }
  })
)

/** Runs an effect while each version of a service can claim only jobs that the other one stored. */
export const crossing = <A, E, R>(service: ProcessName, effect: Effect.Effect<A, E, R>) => {
  const change = (begins: boolean) =>
    inDatabase("auth", (sql) =>
      begins ? sql`INSERT INTO marks.mixed VALUES (${service})` : sql`DELETE FROM marks.mixed`
    )
  return Effect.andThen(change(true), effect).pipe(Effect.tap(() => change(false)))
}

/** Counts the jobs of each queue that one version stored and the other one completed, in both directions. */
export const jobsAcross = inDatabase(
  "auth",
  (sql) => sql<{ queue: string; toNext: number; toPrevious: number; within: number }>`
    SELECT
      service || ' ' || queue AS queue,
      count(*) FILTER (WHERE made_by !~ '_2$' AND completed_by ~ '_2$')::int AS "toNext",
      count(*) FILTER (WHERE made_by ~ '_2$' AND completed_by !~ '_2$')::int AS "toPrevious",
      count(*) FILTER (WHERE (completed_by ~ '_2$') = (made_by ~ '_2$'))::int AS within
    FROM marks.jobs GROUP BY 1 ORDER BY 1
  `
)

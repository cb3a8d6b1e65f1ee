import { services } from "@care/sandbox"
import { Effect } from "effect"
import { inDatabase } from "../database.ts"

/** Records in the database from now on which role stored each job, and which one completed it. */
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
        CREATE TRIGGER completed AFTER UPDATE OF state ON ${sql(service)}.jobs
        FOR EACH ROW WHEN (NEW.state = 'completed') EXECUTE FUNCTION marks.completed()
      `
    }
  })
)

/** Counts the jobs that one version stored and the other one completed, in both directions. */
export const jobsAcross = inDatabase(
  "auth",
  (sql) => sql<{ toNext: number; toPrevious: number; within: number }>`
    SELECT
      count(*) FILTER (WHERE made_by !~ '_2$' AND completed_by ~ '_2$')::int AS "toNext",
      count(*) FILTER (WHERE made_by ~ '_2$' AND completed_by !~ '_2$')::int AS "toPrevious",
      count(*) FILTER (WHERE completed_by ~ '_2$' = (made_by ~ '_2$'))::int AS within
    FROM marks.jobs
  `
)

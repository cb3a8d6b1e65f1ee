import type pg from "pg"

const services = ["auth", "cases", "payments", "scheduling"]

/** Makes the database note when each job was due, began and ended, from now on. */
export const noteJobRuns = async (database: pg.ClientBase): Promise<void> => {
  await database.query(`
    CREATE SCHEMA bench;
    CREATE TABLE bench.job_runs (
      job_id uuid PRIMARY KEY, queue text NOT NULL, due_at timestamptz NOT NULL, began_at timestamptz NOT NULL,
      done_at timestamptz
    );
    CREATE FUNCTION bench.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF NEW.state = 'running' THEN
        INSERT INTO bench.job_runs (job_id, queue, due_at, began_at)
        VALUES (NEW.id, TG_TABLE_SCHEMA || ' ' || NEW.queue_name, NEW.due_at, clock_timestamp()) ON CONFLICT DO NOTHING;
      ELSIF NEW.state IN ('completed', 'cancelled') THEN
        UPDATE bench.job_runs SET done_at = clock_timestamp() WHERE job_id = NEW.id;
      END IF;
      RETURN NULL;
    END $$;
  `)
  for (const service of services) {
    await database.query(
      `CREATE TRIGGER note AFTER UPDATE OF state ON ${service}.jobs FOR EACH ROW EXECUTE FUNCTION bench.note()`
    )
  }
}

/** The medians of a queue in milliseconds: from due to begun, and from due to done. */
interface JobTimes {
  readonly queue: string
  readonly waited: number
  readonly worked: number
}

/** Reads the times of the jobs that were done so far. */
export const readJobTimes = async (database: pg.ClientBase): Promise<ReadonlyArray<JobTimes>> => {
  const { rows } = await database.query<JobTimes>(`
    SELECT queue,
           1000 * percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM began_at - due_at))::float8 AS waited,
           1000 * percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM done_at - began_at))::float8 AS worked
    FROM bench.job_runs WHERE done_at IS NOT NULL GROUP BY queue ORDER BY queue
  `)
  return rows
}

import { execute, rowsOf } from "@care/service-kit"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClaimedJob } from "./JobClaims.ts"

/** A new row of `jobs`. The payload is sealed. */
export interface NewJob {
  readonly id: string
  readonly queueName: string
  readonly key: string | null
  readonly organizationId: string
  /** What it is cancelled with. */
  readonly subject: string | null
  readonly version: number
  readonly payload: Uint8Array
  readonly delay: Duration.Duration
  readonly requestId: string
  /** The span of the request (W3C); null without tracing. */
  readonly traceparent: string | null
}

/** The organization id of jobs that belong to no organization. */
export const noOrganization = "00000000-0000-0000-0000-000000000000"

const noClaim = "claim_id = NULL, locked_at = NULL"

const cancelled = rowsOf(Schema.Struct({ queueName: Schema.String }))

/**
 * SQL that stores jobs and their outcomes. An outcome is stored only as long as the job is still under the same claim. When a job ended is
 * this process's time: it is shown, and decides when the row is removed, days later.
 */
export const makeJobsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isUnderClaim = ({ claimId, id }: ClaimedJob) => sql`id = ${id} AND claim_id = ${claimId}`

  /**
   * Returns the SQL that inserts jobs once for each row of `FROM <row>`, and skips a job whose key the queue knows. Callers that
   * offer the same keys offer them in the same order: otherwise parallel offers could deadlock.
   */
  const insertFor = (jobs: ReadonlyArray<NewJob>, row: Statement.Fragment) => {
    const rows = jobs.map(({ delay, payload, ...job }) => ({
      ...job,
      payload: `\\x${Buffer.from(payload).toString("hex")}`,
      delay: Duration.toMillis(delay)
    }))
    return sql`
      INSERT INTO jobs (id, queue_name, key, organization_id, subject, version, payload, request_id, traceparent, due_at)
      SELECT job.id, job."queueName", job.key, job."organizationId", job.subject, job.version, job.payload, job."requestId",
             job.traceparent, clock_timestamp() + job.delay * interval '1 millisecond'
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS job (
        id uuid, "queueName" text, key text, "organizationId" uuid, subject uuid, version integer, payload bytea,
        "requestId" text, traceparent text, delay double precision
      ) CROSS JOIN ${row}
      ON CONFLICT (queue_name, key) DO NOTHING
    `
  }

  return {
    insertFor,

    insert: (jobs: ReadonlyArray<NewJob>) => execute(insertFor(jobs, sql.literal("(SELECT) AS always"))),

    /** Completes jobs, and deletes their payloads. */
    complete: (jobs: ReadonlyArray<ClaimedJob>) =>
      Effect.flatMap(
        DateTime.nowAsDate,
        (now) => sql`
          UPDATE jobs SET state = 'completed', payload = NULL, last_failure = NULL, ended_at = ${now}, ${sql.literal(noClaim)}
          FROM unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ claimId }) => claimId)}::uuid[])
            AS ending (id, claim_id)
          WHERE jobs.id = ending.id AND jobs.claim_id = ending.claim_id
        `
      ),

    cancel: (job: ClaimedJob) =>
      Effect.flatMap(
        DateTime.nowAsDate,
        (now) => sql`
          UPDATE jobs SET state = 'cancelled', payload = NULL, ended_at = ${now}, ${sql.literal(noClaim)}
          WHERE ${isUnderClaim(job)}
        `
      ),

    /** Cancels the pending jobs of a subject. Returns the queue of each. */
    cancelBySubject: (organizationId: string, subject: string) =>
      Effect.flatMap(DateTime.nowAsDate, (now) =>
        cancelled.all(
          sql`
            UPDATE jobs SET state = 'cancelled', payload = NULL, ended_at = ${now}
            WHERE organization_id = ${organizationId} AND subject = ${subject} AND state = 'pending'
            RETURNING queue_name
          `.unprepared
        )
      ),

    /** Dead-letters a job: it is not tried again until an operator repeats it. */
    deadLetter: (job: ClaimedJob, failure: string) =>
      Effect.flatMap(
        DateTime.nowAsDate,
        (now) => sql`
          UPDATE jobs SET state = 'failed', last_failure = ${failure}, ended_at = ${now}, ${sql.literal(noClaim)}
          WHERE ${isUnderClaim(job)}
        `
      ),

    retry: (job: ClaimedJob, delay: Duration.Duration, failure: string) => sql`
      WITH clock AS (SELECT now(), now() + ${Duration.toMillis(delay)} * interval '1 millisecond' AS due_at)
      UPDATE jobs SET
        state = 'pending', last_failure = ${failure}, due_at = clock.due_at,
        failing_since = coalesce(failing_since, clock.now), ${sql.literal(noClaim)}
      FROM clock WHERE ${isUnderClaim(job)}
    `,

    /** Puts a job back into the queue as if it had not been claimed. */
    release: (job: ClaimedJob) => sql`
      UPDATE jobs SET state = 'pending', attempts = attempts - 1, ${sql.literal(noClaim)} WHERE ${isUnderClaim(job)}
    `
  }
})

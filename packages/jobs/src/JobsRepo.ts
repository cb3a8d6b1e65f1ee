import { execute, rowsOf } from "@care/service-kit"
import { Duration, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { JobCause } from "./JobCause.ts"
import type { ClaimedJob } from "./JobClaims.ts"

/** A job as it is offered, its payload sealed. */
export interface NewJob extends JobCause {
  readonly id: string
  readonly queueName: string
  readonly key: string | null
  readonly organizationId: string
  /** What it ends with. */
  readonly about: string | null
  readonly version: number
  readonly payload: Uint8Array
  readonly delay: Duration.Duration
}

/** Whose jobs those are that belong to no organization. */
export const nobody = "00000000-0000-0000-0000-000000000000"

const free = "claim_id = NULL, locked_at = NULL"

/** A job that is under way, as long as its claim holds. */
export type JobEnding = Pick<ClaimedJob, "id" | "claimId">

/**
 * Ends jobs, each a row of `endings` with its `id` and `claim_id`; what they carried is removed at once. Work that is one
 * statement has this as a part of it.
 */
export const completeJobs = (sql: SqlClient.SqlClient, endings: Statement.Fragment) => sql`
  UPDATE jobs SET state = 'completed', payload = NULL, last_failure = NULL, ended_at = now(), ${sql.literal(free)}
  FROM ${endings} AS ending
  WHERE jobs.id = ending.id AND jobs.claim_id = ending.claim_id
`
const cancelled = rowsOf(Schema.Struct({ queueName: Schema.String }))
const existing = rowsOf(Schema.Struct({ exists: Schema.Boolean }))

/** SQL of jobs but for taking them. An outcome is stored only while the claim still holds, and may have to be tried again. */
export const makeJobsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const interval = (duration: Duration.Duration) => sql`${Duration.toMillis(duration)} * interval '1 millisecond'`
  const held = ({ claimId, id }: ClaimedJob) => sql`id = ${id} AND claim_id = ${claimId}`

  /** Stores a job if the rest of its statement has the row that it is for. Nothing happens when the queue knows the key. */
  const insertFor = (job: NewJob, row: Statement.Fragment) => sql`
    INSERT INTO jobs (id, queue_name, key, organization_id, about, version, payload, request_id, traceparent, due_at)
    SELECT ${job.id}::uuid, ${job.queueName}, ${job.key}::text, ${job.organizationId}::uuid, ${job.about}::uuid,
           ${job.version}::integer, ${job.payload}::bytea, ${job.requestId}, ${job.traceparent}::text,
           clock_timestamp() + ${interval(job.delay)}
    FROM ${row}
    ON CONFLICT (queue_name, key) DO NOTHING
  `

  return {
    insertFor,

    /**
     * Stores jobs, but for those whose key their queue knows. Whoever offers the same keys again keeps their order, so that
     * two who do so at once do not wait for each other.
     */
    insertAll: (jobs: ReadonlyArray<NewJob>) => {
      const rows = jobs.map(({ delay, payload, ...job }) => ({
        ...job,
        payload: `\\x${Buffer.from(payload).toString("hex")}`,
        delay: Duration.toMillis(delay)
      }))
      return execute(sql`
        INSERT INTO jobs (id, queue_name, key, organization_id, about, version, payload, request_id, traceparent, due_at)
        SELECT id, "queueName", key, "organizationId", about, version, payload, "requestId", traceparent,
               clock_timestamp() + delay * interval '1 millisecond'
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS job (
          id uuid, "queueName" text, key text, "organizationId" uuid, about uuid, version integer, payload bytea,
          "requestId" text, traceparent text, delay double precision
        )
        ON CONFLICT (queue_name, key) DO NOTHING
      `)
    },

    complete: (jobs: ReadonlyArray<JobEnding>) =>
      completeJobs(
        sql,
        sql`
          (
            SELECT * FROM unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ claimId }) => claimId)}::uuid[])
              AS given (id, claim_id)
          )
        `
      ),

    /** Ends a job that found out itself that what it is about has ended. */
    cancel: (job: ClaimedJob) => sql`
      UPDATE jobs SET state = 'cancelled', payload = NULL, ended_at = now(), ${sql.literal(free)} WHERE ${held(job)}
    `,

    /** Ends the jobs about something that wait: the queue of each. */
    cancelBySubject: (organizationId: string, about: string) =>
      cancelled.all(
        sql`
          UPDATE jobs SET state = 'cancelled', payload = NULL, ended_at = now()
          WHERE organization_id = ${organizationId} AND about = ${about} AND state = 'pending'
          RETURNING queue_name
        `.unprepared
      ),

    /** Whether a queue has a job about something that waits or is under way. */
    isUnderWay: (queueName: string, organizationId: string, about: string) =>
      Effect.map(
        existing.one(
          sql`
            SELECT EXISTS (
              SELECT FROM jobs
              WHERE queue_name = ${queueName} AND organization_id = ${organizationId} AND about = ${about} AND state = 'pending'
              UNION ALL
              SELECT FROM jobs
              WHERE queue_name = ${queueName} AND organization_id = ${organizationId} AND about = ${about} AND state = 'running'
            ) AS exists
          `.unprepared
        ),
        ({ exists }) => exists
      ),

    /** Ends a job that is not tried again; it stays for the operator. */
    setAside: (job: ClaimedJob, failure: string) => sql`
      UPDATE jobs SET state = 'failed', last_failure = ${failure}, ended_at = now(), ${sql.literal(free)} WHERE ${held(job)}
    `,

    retry: (job: ClaimedJob, delay: Duration.Duration, failure: string) => sql`
      UPDATE jobs SET state = 'pending', last_failure = ${failure}, due_at = now() + ${interval(delay)},
        failing_since = coalesce(failing_since, now()), ${sql.literal(free)}
      WHERE ${held(job)}
    `,

    /** Gives a job back as if it had not been taken. */
    release: (job: ClaimedJob) => sql`
      UPDATE jobs SET state = 'pending', attempts = attempts - 1, ${sql.literal(free)} WHERE ${held(job)}
    `
  }
})

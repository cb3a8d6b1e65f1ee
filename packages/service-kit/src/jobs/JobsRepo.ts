import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { ClaimedJob } from "./JobClaims.ts"

/** A job as it is offered, its payload sealed. */
export interface NewJob {
  readonly queueName: string
  readonly id: string
  readonly organizationId: string
  readonly payload: Uint8Array
  readonly delay: Duration.Duration
}

type Stored = Effect.Effect<unknown, SqlError.SqlError>

/** SQL of jobs but for taking them. An outcome is stored only while the claim still holds. */
export class JobsRepo extends Context.Service<
  JobsRepo,
  {
    /** Nothing happens when the queue knows the id. */
    readonly insert: (job: NewJob) => Stored
    /** Ends a job; what it carried is removed at once. */
    readonly complete: (job: ClaimedJob) => Stored
    /** Ends a job that is not tried again; it stays for the operator. */
    readonly setAside: (job: ClaimedJob, failure: string) => Stored
    readonly retry: (job: ClaimedJob, delay: Duration.Duration, failure: string) => Stored
    /** Gives a job back as if it had not been taken. */
    readonly release: (job: ClaimedJob) => Stored
    /** Removes jobs that ended so long ago, at most so many; answers how many. */
    readonly remove: (
      state: "completed" | "failed",
      age: Duration.Duration,
      limit: number
    ) => Effect.Effect<number, SqlError.SqlError>
  }
>()("@care/service-kit/jobs/JobsRepo") {
  static readonly layer = Layer.effect(
    JobsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const interval = (duration: Duration.Duration) => sql`${Duration.toMillis(duration)} * interval '1 millisecond'`
      const free = sql.literal("claim_id = NULL, locked_at = NULL")
      const held = ({ claimId, id, queueName }: ClaimedJob) =>
        sql`queue_name = ${queueName} AND id = ${id} AND claim_id = ${claimId}`

      return JobsRepo.of({
        insert: ({ delay, id, organizationId, payload, queueName }) => sql`
          INSERT INTO jobs (queue_name, id, organization_id, payload, visible_at)
          VALUES (${queueName}, ${id}, ${organizationId}, ${payload}, clock_timestamp() + ${interval(delay)})
          ON CONFLICT (queue_name, id) DO NOTHING
        `,
        complete: (job) => sql`
          UPDATE jobs SET state = 'completed', payload = NULL, last_failure = NULL, ended_at = now(), ${free}
          WHERE ${held(job)}
        `,
        setAside: (job, failure) => sql`
          UPDATE jobs SET state = 'failed', last_failure = ${failure}, ended_at = now(), ${free} WHERE ${held(job)}
        `,
        retry: (job, delay, failure) => sql`
          UPDATE jobs SET state = 'pending', last_failure = ${failure}, visible_at = now() + ${interval(delay)}, ${free}
          WHERE ${held(job)}
        `,
        release: (job) => sql`
          UPDATE jobs SET state = 'pending', attempts = attempts - 1, ${free} WHERE ${held(job)}
        `,
        remove: (state, age, limit) =>
          sql`
            DELETE FROM jobs WHERE (queue_name, id) IN (
              SELECT queue_name, id FROM jobs WHERE state = ${state} AND ended_at <= now() - ${interval(age)}
              LIMIT ${limit}
            )
            RETURNING id
          `.pipe(Effect.map(({ length }) => length))
      })
    })
  )
}

import { execute, rowsOf } from "@care/service-kit"
import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const ClaimedJob = Schema.Struct({
  id: Schema.String,
  queueName: Schema.String,
  claimId: Schema.String,
  version: Schema.Int,
  attempts: Schema.Int,
  crashes: Schema.Int,
  failingSeconds: Schema.Finite,
  requestId: Schema.String,
  traceparent: Schema.NullOr(Schema.String),
  payload: Schema.Uint8Array
})
/** A job that this process has claimed. `attempts` counts this attempt. The first failure was `failingSeconds` ago (0: none). */
export type ClaimedJob = typeof ClaimedJob.Type
const claimedJobs = rowsOf(ClaimedJob)

// A job whose process ended, and whether it is dead-lettered because that happened too often.
const lostJobs = rowsOf(
  Schema.Struct({
    id: Schema.String,
    queueName: Schema.String,
    requestId: Schema.String,
    lastFailure: Schema.String,
    isDeadLettered: Schema.Boolean
  })
)

// Which jobs may be claimed now. "beside": any. "alone": one whose process ended, with no other running. "later": none, because
// jobs were running when this process started and their locks have not been refreshed since. One of them may have ended the
// process before this one, and a similar job would end this one before the first is known.
const Turn = Schema.Literals(["beside", "alone", "later"])

// One row for each claimed job, or one row without a job.
const attempts = rowsOf(
  Schema.Union([
    Schema.Struct({ ...ClaimedJob.fields, turn: Turn, hasMore: Schema.Boolean }),
    Schema.Struct({ id: Schema.Null, turn: Turn, hasMore: Schema.Boolean })
  ])
)

export interface ClaimLimits {
  /** How many jobs are claimed at most. */
  readonly limit: number
  /** How many jobs of one organization may run, with those that are claimed now. */
  readonly perOrganization?: number | undefined
  /** Whether the limit also holds when several processes claim at the same moment. */
  readonly isCountedExactly?: boolean | undefined
}

const isJob = <Row extends { readonly id: string | null }>(row: Row): row is Extract<Row, { readonly id: string }> =>
  row.id !== null

const waitingQueues = rowsOf(Schema.Struct({ queueName: Schema.String }))

const starts = rowsOf(Schema.Struct({ startedAt: Schema.Date }))

/** How often the process of a job may end before the job is dead-lettered. */
const maxCrashes = 3

const noLimit = 2 ** 31 - 1

export type JobClaims = Effect.Success<typeof makeJobClaims>

/** SQL that claims jobs and keeps their locks. No statement is prepared, because a cached plan may be one for an empty table. */
export const makeJobClaims = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { startedAt } = yield* starts.one(sql`SELECT clock_timestamp() AS started_at`)

  const isDue = sql.literal("state = 'pending' AND crashes = 0 AND due_at <= statement_timestamp()")
  const isDueAlone = sql.literal("state = 'pending' AND crashes > 0 AND due_at <= statement_timestamp()")
  const started = sql.literal(
    "state = 'running', attempts = attempts + 1, claim_id = gen_random_uuid(), locked_at = clock_timestamp()"
  )
  const claimed = sql.literal(
    `jobs.id, queue_name, claim_id, version, attempts, crashes, request_id, traceparent, payload,
     coalesce(extract(epoch FROM clock_timestamp() - failing_since), 0)::float8 AS failing_seconds`
  )

  // Decides in SQL: a choice in TypeScript would have to read the oldest jobs of every organization for each claim. The recursion
  // finds the organizations by the index, so that the number of their jobs does not matter. The result is that of claims one by
  // one: each time the oldest job of the organization with the fewest running jobs, and a chosen job counts as running.
  const claim = (queue: string, { limit, perOrganization = noLimit }: ClaimLimits) =>
    sql`
    WITH RECURSIVE way AS (
      SELECT CASE
        WHEN EXISTS (
          SELECT FROM jobs WHERE queue_name = ${queue} AND state = 'running' AND locked_at < ${startedAt}
        ) THEN 'later'
        WHEN EXISTS (SELECT FROM jobs WHERE queue_name = ${queue} AND ${isDueAlone}) THEN 'alone'
        ELSE 'beside'
      END AS turn
    ),
    waiting AS (
      (
        SELECT organization_id FROM jobs
        WHERE (SELECT turn FROM way) = 'beside' AND queue_name = ${queue} AND state = 'pending' AND crashes = 0
        ORDER BY organization_id LIMIT 1
      )
      UNION ALL
      SELECT (
        SELECT organization_id FROM jobs
        WHERE queue_name = ${queue} AND state = 'pending' AND crashes = 0
          AND organization_id > waiting.organization_id
        ORDER BY organization_id LIMIT 1
      )
      FROM waiting WHERE organization_id IS NOT NULL
    ),
    running AS (
      SELECT organization_id, count(*) AS jobs FROM jobs
      WHERE queue_name = ${queue} AND state = 'running'
      GROUP BY organization_id
    ),
    turns AS (
      SELECT organization_id, count(*) AS jobs
      FROM (
        SELECT organization_id
        FROM waiting LEFT JOIN running USING (organization_id)
        CROSS JOIN LATERAL (
          SELECT due_at, coalesce(running.jobs, 0) + row_number() OVER (ORDER BY due_at, id) AS under_way
          FROM (
            SELECT due_at, id FROM jobs
            WHERE queue_name = ${queue} AND organization_id = waiting.organization_id AND ${isDue}
            ORDER BY due_at, id LIMIT ${limit}
          ) AS oldest
        ) AS job
        WHERE under_way <= ${perOrganization}
        ORDER BY under_way, due_at
        LIMIT ${limit}
      ) AS chosen
      GROUP BY organization_id
    ),
    next AS (
      SELECT job.id FROM turns CROSS JOIN LATERAL (
        SELECT id FROM jobs
        WHERE queue_name = ${queue} AND organization_id = turns.organization_id AND ${isDue}
        ORDER BY due_at, id LIMIT turns.jobs
        FOR UPDATE SKIP LOCKED
      ) AS job
    ),
    claimed AS (
      UPDATE jobs SET ${started} FROM next WHERE jobs.id = next.id
      RETURNING ${claimed}, due_at
    )
    SELECT way.turn, claimed.*, EXISTS (
      SELECT FROM jobs
      WHERE queue_name = ${queue} AND state = 'pending' AND crashes = 0 AND jobs.id NOT IN (SELECT id FROM claimed)
    ) AS has_more
    FROM way LEFT JOIN claimed ON true
    ORDER BY claimed.due_at, claimed.id
  `.unprepared

  // The limit is counted before the rows are locked, so claims of a queue run one after the other.
  const claimExactly = (queue: string, limits: ClaimLimits) =>
    sql.withTransaction(
      Effect.andThen(
        sql`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' jobs ' || ${queue}, 0))`,
        claim(queue, limits)
      )
    )

  return {
    /** Returns the queues that have pending jobs, due or not. Planning a claim of one queue takes ten times as long. */
    waiting: (queues: ReadonlyArray<string>) =>
      waitingQueues.all(
        sql`
          SELECT queue_name FROM unnest(${queues}::text[]) AS given (queue_name) CROSS JOIN LATERAL (
            (
              SELECT id FROM jobs
              WHERE queue_name = given.queue_name AND state = 'pending' AND crashes = 0
              ORDER BY organization_id LIMIT 1
            )
            UNION ALL
            (
              SELECT id FROM jobs
              WHERE queue_name = given.queue_name AND state = 'pending' AND crashes > 0
              ORDER BY due_at LIMIT 1
            )
          ) AS job
        `.unprepared
      ),

    /**
     * Claims up to `limit` jobs, each the oldest of the organization with the fewest running jobs, below its limit. Returns none unless
     * the turn is "beside". `hasMore` says whether other jobs are pending, also those that are not due or are above the limit.
     */
    claim: (queue: string, limits: ClaimLimits) =>
      Effect.flatMap(
        attempts.all((limits.isCountedExactly === true ? claimExactly : claim)(queue, limits)),
        ([first, ...others]) =>
          first === undefined
            ? Effect.die(new Error("A claim of jobs always has a row"))
            : Effect.succeed({ turn: first.turn, hasMore: first.hasMore, jobs: [first, ...others].filter(isJob) })
      ),

    /** Claims the oldest job whose process ended, without regard to limits. */
    claimSuspicious: (queue: string) =>
      claimedJobs.first(
        sql`
          WITH next AS (
            SELECT id FROM jobs WHERE queue_name = ${queue} AND ${isDueAlone}
            ORDER BY due_at, id LIMIT 1
            FOR UPDATE SKIP LOCKED
          )
          UPDATE jobs SET ${started} FROM next WHERE jobs.id = next.id
          RETURNING ${claimed}
        `.unprepared
      ),

    refresh: (claimIds: ReadonlyArray<string>) =>
      execute(
        sql`
          UPDATE jobs SET locked_at = clock_timestamp()
          WHERE state = 'running' AND claim_id = ANY(${claimIds}::uuid[])
        `.unprepared
      ),

    /** Releases the jobs whose locks have expired, except the given claims. They run alone next, or are dead-lettered. */
    takeOver: (lockExpiration: Duration.Duration, except: ReadonlyArray<string>) =>
      lostJobs.all(
        sql`
          UPDATE jobs SET
            crashes = crashes + 1,
            state = CASE WHEN crashes + 1 < ${maxCrashes} THEN 'pending' ELSE 'failed' END,
            ended_at = CASE WHEN crashes + 1 < ${maxCrashes} THEN NULL ELSE now() END,
            last_failure = 'Its process ended',
            claim_id = NULL,
            locked_at = NULL
          WHERE state = 'running' AND claim_id <> ALL(${except}::uuid[])
            AND locked_at < now() - ${Duration.toMillis(lockExpiration)} * interval '1 millisecond'
          RETURNING id, queue_name, request_id, last_failure, state = 'failed' AS is_dead_lettered
        `.unprepared
      )
  }
})

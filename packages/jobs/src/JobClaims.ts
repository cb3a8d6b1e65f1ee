import { randomUUID } from "node:crypto"
import { execute, inTransaction, rowsOf } from "@care/service-kit"
import { Array as Arr, Duration, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { makeDatabaseTime } from "./makeDatabaseTime.ts"

const ClaimedJob = Schema.Struct({
  id: Schema.String,
  queueName: Schema.String,
  claimId: Schema.String,
  version: Schema.Int,
  attempts: Schema.Int,
  crashes: Schema.Int,
  failingSeconds: Schema.Finite,
  dueAt: Schema.Date,
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

// What to claim: how many jobs of which organizations (`next`). `now` is the time of the database.
const NextJobs = Schema.Struct({ organizationId: Schema.String, jobs: Schema.Int })
const choices = rowsOf(
  Schema.Struct({
    turn: Turn,
    hasMore: Schema.Boolean,
    now: Schema.Date,
    next: Schema.NullOr(Schema.Array(NextJobs))
  })
)

export interface ClaimLimits {
  /** How many jobs are claimed at most. */
  readonly limit: number
  /** How many jobs of one organization may run, with those that are claimed now. */
  readonly perOrganization?: number | undefined
  /** Whether the limit also holds when several processes claim at the same moment. */
  readonly isCountedExactly?: boolean | undefined
}

const waitingQueues = rowsOf(Schema.Struct({ queueName: Schema.String }))

/** How often the process of a job may end before the job is dead-lettered. */
const maxCrashes = 3

const noLimit = 2 ** 31 - 1

export type JobClaims = Effect.Success<typeof makeJobClaims>

/** SQL that claims jobs and keeps their locks. No statement is prepared, because a cached plan may be one for an empty table. */
export const makeJobClaims = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const databaseTime = yield* makeDatabaseTime
  const startedAt = yield* Effect.orDie(databaseTime)

  const isDue = sql.literal("state = 'pending' AND crashes = 0 AND due_at <= statement_timestamp()")
  const isDueAlone = sql.literal("state = 'pending' AND crashes > 0 AND due_at <= statement_timestamp()")
  // The driver cuts the microseconds off.
  const isDueAt = (now: Date) => sql`state = 'pending' AND due_at <= ${new Date(now.getTime() + 1)}`

  // Decides in SQL: a choice in TypeScript would have to read the oldest jobs of every organization for each claim. The recursion
  // finds the organizations by the index, so that the number of their jobs does not matter. The result is that of claims one by
  // one: each time the oldest job of the organization with the fewest running jobs, and a chosen job counts as running.
  const choose = (queue: string, { limit, perOrganization = noLimit }: ClaimLimits) =>
    choices.one(
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
    chosen AS (
      SELECT organization_id, id
      FROM waiting LEFT JOIN running USING (organization_id)
      CROSS JOIN LATERAL (
        SELECT id, due_at, coalesce(running.jobs, 0) + row_number() OVER (ORDER BY due_at, id) AS under_way
        FROM (
          SELECT due_at, id FROM jobs
          WHERE queue_name = ${queue} AND organization_id = waiting.organization_id AND ${isDue}
          ORDER BY due_at, id LIMIT ${limit}
        ) AS oldest
      ) AS job
      WHERE under_way <= ${perOrganization}
      ORDER BY under_way, due_at
      LIMIT ${limit}
    )
    SELECT way.turn, clock_timestamp() AS now,
           EXISTS (
             SELECT FROM jobs
             WHERE queue_name = ${queue} AND state = 'pending' AND crashes = 0 AND id NOT IN (SELECT id FROM chosen)
           ) AS has_more,
           (
             SELECT json_agg(json_build_object('organizationId', organization_id, 'jobs', jobs))
             FROM (SELECT organization_id, count(*) AS jobs FROM chosen GROUP BY organization_id) AS turns
           ) AS next
    FROM way
  `.unprepared
    )

  // Claims the jobs whose ids `next` selects and locks. The id of a claim has a half of a new id and a half of its job's.
  const start = (next: Statement.Fragment, now: Date) =>
    claimedJobs.all(
      sql`
        WITH claimed AS (
          UPDATE jobs SET
            state = 'running', attempts = attempts + 1, locked_at = ${now},
            claim_id = (left(${randomUUID()}, 18) || right(jobs.id::text, 18))::uuid
          FROM (${next}) AS next WHERE jobs.id = next.id
          RETURNING jobs.*
        )
        SELECT id, queue_name, claim_id, version, attempts, crashes, request_id, traceparent, payload, due_at,
               coalesce(extract(epoch FROM ${now}::timestamptz - failing_since), 0)::float8 AS failing_seconds
        FROM claimed ORDER BY due_at, id
      `.unprepared
    )

  // Two statements, because a distributed PostgreSQL refuses a recursive query within a change. Jobs that another process claims
  // in between are passed over for the next ones of their organization.
  const claim = Effect.fnUntraced(function* (queue: string, limits: ClaimLimits) {
    const { hasMore, next, now, turn } = yield* choose(queue, limits)
    if (next === null) return { turn, hasMore, jobs: [] }
    const oldest = sql`
      SELECT job.id FROM jsonb_to_recordset(${JSON.stringify(next)}::jsonb) AS turns ("organizationId" uuid, jobs integer)
      CROSS JOIN LATERAL (
        SELECT id FROM jobs
        WHERE queue_name = ${queue} AND organization_id = turns."organizationId" AND crashes = 0 AND ${isDueAt(now)}
        ORDER BY due_at, id LIMIT turns.jobs
        FOR UPDATE SKIP LOCKED
      ) AS job
    `
    return { turn, hasMore, jobs: yield* start(oldest, now) }
  })

  // The limit is counted before the rows are locked, so claims of a queue run one after the other.
  const claimExactly = (queue: string, limits: ClaimLimits) =>
    inTransaction(sql)(
      Effect.andThen(
        execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' jobs ' || ${queue}, 0))`),
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
      (limits.isCountedExactly === true ? claimExactly : claim)(queue, limits),

    /** Claims the oldest job whose process ended, without regard to limits. */
    claimSuspicious: Effect.fnUntraced(function* (queue: string) {
      const now = yield* Effect.orDie(databaseTime)
      const oldest = sql`
        SELECT id FROM jobs WHERE queue_name = ${queue} AND crashes > 0 AND ${isDueAt(now)}
        ORDER BY due_at, id LIMIT 1
        FOR UPDATE SKIP LOCKED
      `
      return Arr.head(yield* start(oldest, now))
    }),

    refresh: (claimIds: ReadonlyArray<string>) =>
      execute(
        Effect.flatMap(
          databaseTime,
          (now) =>
            sql`
            UPDATE jobs SET locked_at = ${now} WHERE state = 'running' AND claim_id = ANY(${claimIds}::uuid[])
          `.unprepared
        )
      ),

    /** Releases the jobs whose locks have expired, except the given claims. They run alone next, or are dead-lettered. */
    takeOver: (lockExpiration: Duration.Duration, except: ReadonlyArray<string>) =>
      lostJobs.all(
        Effect.flatMap(
          databaseTime,
          (now) =>
            sql`
            UPDATE jobs SET
              crashes = crashes + 1,
              state = CASE WHEN crashes + 1 < ${maxCrashes} THEN 'pending' ELSE 'failed' END,
              ended_at = CASE WHEN crashes + 1 < ${maxCrashes} THEN NULL ELSE ${now}::timestamptz END,
              last_failure = 'Its process ended',
              claim_id = NULL,
              locked_at = NULL
            WHERE state = 'running' AND claim_id <> ALL(${except}::uuid[])
              AND locked_at < ${new Date(now.getTime() - Duration.toMillis(lockExpiration))}
            RETURNING id, queue_name, request_id, last_failure, state = 'failed' AS is_dead_lettered
          `.unprepared
        )
      )
  }
})

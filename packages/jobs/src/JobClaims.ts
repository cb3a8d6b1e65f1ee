import { randomUUID } from "node:crypto"
import { execute, inTransaction, rowsOf } from "@care/service-kit"
import { Clock, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

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
  payload: Schema.Uint8Array,
  organizationId: Schema.String,
  aheadMillis: Schema.NullOr(Schema.Finite),
  resets: Schema.NullOr(Schema.Int)
})
/**
 * A job that this process has claimed. `attempts` counts this attempt. The first failure was `failingSeconds` ago (0: none). `aheadMillis` is
 * how far the clock of a sandbox organization is ahead, and `resets` how often it was reset.
 */
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

// One row for each claimed job, or one row without a job. A crowded queue has so many pending jobs that nothing was claimed.
const AttemptedClaim = Schema.Struct({ turn: Turn, isCrowded: Schema.Boolean, hasMore: Schema.Boolean })
const attempts = rowsOf(
  Schema.Union([
    Schema.Struct({ ...ClaimedJob.fields, ...AttemptedClaim.fields }),
    Schema.Struct({ id: Schema.Null, ...AttemptedClaim.fields })
  ])
)
const waitingOrganizations = rowsOf(Schema.Struct({ organizationId: Schema.String }))

const isJob = <Row extends { readonly id: string | null }>(row: Row): row is Extract<Row, { readonly id: string }> =>
  row.id !== null

export interface ClaimLimits {
  /** How many jobs of one organization may run, with those that are claimed now. */
  readonly perOrganization?: number | undefined
  /** Whether the limit also holds when several processes claim at the same moment. */
  readonly isCountedExactly?: boolean | undefined
}

const waitingQueues = rowsOf(Schema.Struct({ queueName: Schema.String }))

const starts = rowsOf(Schema.Struct({ startedAt: Schema.Date }))

/** How often the process of a job may end before the job is dead-lettered. */
const maxCrashes = 3

const noLimit = 2 ** 31 - 1

/** A queue with more pending jobs is crowded. No process runs as many jobs of a kind. */
const mostJobs = 64

/** How many claims of a crowded queue share a list of organizations. */
const claimsOfList = 8

export type JobClaims = Effect.Success<typeof makeJobClaims>

/** SQL that claims jobs and keeps their locks. No statement is prepared, because a cached plan may be one for an empty table. */
export const makeJobClaims = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { startedAt } = yield* starts.one(sql`SELECT clock_timestamp() AS started_at`)

  // Jobs of an organization that moves to another cell do not begin.
  const isHere = "organization_id NOT IN (SELECT organization_id FROM standing_organizations)"
  const isDue = sql.literal(`state = 'pending' AND crashes = 0 AND due_at <= statement_timestamp() AND ${isHere}`)
  const isDueAlone = sql.literal(`state = 'pending' AND crashes > 0 AND due_at <= statement_timestamp() AND ${isHere}`)
  const runningIn = (queue: string) => sql`
    running AS (
      SELECT organization_id, count(*) AS jobs FROM jobs
      WHERE queue_name = ${queue} AND state = 'running'
      GROUP BY organization_id
    )
  `

  // Returns the organizations with the fewest running jobs, and of these the ones with the oldest due jobs. The recursion finds them by
  // the index, so that the number of their jobs does not matter.
  const findWaiting = (queue: string, { perOrganization = noLimit }: ClaimLimits) =>
    waitingOrganizations.all(
      sql`
        WITH RECURSIVE waiting AS (
          (
            SELECT organization_id FROM jobs
            WHERE queue_name = ${queue} AND state = 'pending' AND crashes = 0
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
        ${runningIn(queue)}
        SELECT organization_id
        FROM waiting LEFT JOIN running USING (organization_id)
        CROSS JOIN LATERAL (
          SELECT due_at FROM jobs
          WHERE queue_name = ${queue} AND organization_id = waiting.organization_id AND ${isDue}
          ORDER BY due_at, id LIMIT 1
        ) AS oldest
        WHERE coalesce(running.jobs, 0) < ${perOrganization}
        ORDER BY coalesce(running.jobs, 0), due_at
        LIMIT ${mostJobs}
      `.unprepared
    )

  // The id of a claim has a half of a new id and a half of its job's. A distributed PostgreSQL refuses functions of time in an UPDATE.
  const startNext = () => sql`
    UPDATE jobs SET
      state = 'running', attempts = attempts + 1, locked_at = next.now,
      claim_id = (left(${randomUUID()}, 18) || right(jobs.id::text, 18))::uuid
    FROM next WHERE jobs.id = next.id
    RETURNING jobs.*
  `
  const claimedColumns = sql.literal(
    `claimed.id, queue_name, claim_id, version, attempts, crashes, request_id, traceparent, payload, due_at,
     coalesce(extract(epoch FROM clock_timestamp() - failing_since), 0)::float8 AS failing_seconds,
     claimed.organization_id, (
       SELECT test.ahead_millis::float8 FROM test_organizations AS test WHERE test.organization_id = claimed.organization_id
     ) AS ahead_millis, (
       SELECT test.resets FROM test_organizations AS test WHERE test.organization_id = claimed.organization_id
     ) AS resets`
  )

  // Chooses among some organizations, or among all if the queue is not crowded. Decides in SQL: a choice in TypeScript would have to read
  // the oldest jobs of each organization for each claim. The result is that of claims one by one: each time the oldest job of the
  // organization with the fewest running jobs, and a chosen job counts as running.
  const claimAmong = (
    queue: string,
    { perOrganization = noLimit }: ClaimLimits,
    limit: number,
    organizations: ReadonlyArray<string> | undefined
  ) =>
    Effect.flatMap(
      attempts.all(
        sql`
          WITH way AS (
            SELECT CASE
              WHEN EXISTS (
                SELECT FROM jobs WHERE queue_name = ${queue} AND state = 'running' AND locked_at < ${startedAt}
              ) THEN 'later'
              WHEN EXISTS (SELECT FROM jobs WHERE queue_name = ${queue} AND ${isDueAlone}) THEN 'alone'
              ELSE 'beside'
            END AS turn
          ),
          candidates AS (
            ${
              organizations === undefined
                ? sql`
                  SELECT organization_id FROM jobs
                  WHERE queue_name = ${queue} AND state = 'pending' AND crashes = 0
                  ORDER BY organization_id LIMIT ${mostJobs + 1}
                `
                : sql`SELECT unnest(${organizations}::uuid[]) AS organization_id`
            }
          ),
          crowd AS (SELECT count(*) > ${mostJobs} AS is_crowded FROM candidates),
          ${runningIn(queue)},
          turns AS (
            SELECT organization_id, count(*) AS jobs
            FROM (
              SELECT organization_id
              FROM (SELECT DISTINCT organization_id FROM candidates, way, crowd WHERE turn = 'beside' AND NOT is_crowded) AS waiting
              LEFT JOIN running USING (organization_id)
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
            SELECT job.id, statement_timestamp() AS now FROM turns CROSS JOIN LATERAL (
              SELECT id FROM jobs
              WHERE queue_name = ${queue} AND organization_id = turns.organization_id AND ${isDue}
              ORDER BY due_at, id LIMIT turns.jobs
              FOR UPDATE SKIP LOCKED
            ) AS job
          ),
          claimed AS (${startNext()})
          SELECT turn, is_crowded, ${claimedColumns}, EXISTS (
            SELECT FROM jobs
            WHERE queue_name = ${queue} AND state = 'pending' AND crashes = 0 AND jobs.id NOT IN (SELECT id FROM claimed)
          ) AS has_more
          FROM way CROSS JOIN crowd LEFT JOIN claimed ON true
          ORDER BY due_at, claimed.id
        `.unprepared
      ),
      ([first, ...others]) => {
        if (first === undefined) return Effect.die(new Error("A claim of jobs always has a row"))
        const { hasMore, isCrowded, turn } = first
        const jobs = [first, ...others].filter(isJob)
        return Effect.succeed({ turn, hasMore, isCrowded, isFull: jobs.length === limit, jobs })
      }
    )

  // One statement, or of a crowded queue two, because a distributed PostgreSQL refuses a recursive query within a change. The next claims
  // share the organizations that it found. When one of them claims fewer jobs than wanted, the next one looks again, at once.
  const claimsBeside = (queue: string, limits: ClaimLimits, waitingLasts: Duration.Duration) => {
    let isCrowded = false
    let waiting: ReadonlyArray<string> = []
    let claimsLeft = 0
    let waitingUntil = 0
    return Effect.fnUntraced(function* (limit: number) {
      const time = yield* Clock.currentTimeMillis
      const isKnown = claimsLeft > 0 && time < waitingUntil
      if (!isKnown) {
        if (!isCrowded) {
          const claimed = yield* claimAmong(queue, limits, limit, undefined)
          if (!claimed.isCrowded || claimed.turn !== "beside") return claimed
        }
        waiting = (yield* findWaiting(queue, limits)).map(({ organizationId }) => organizationId)
        claimsLeft = claimsOfList
        waitingUntil = time + Duration.toMillis(waitingLasts)
      }
      const claimed = yield* claimAmong(queue, limits, limit, waiting)
      isCrowded = claimed.isFull
      claimsLeft = claimed.isFull ? claimsLeft - 1 : 0
      return { ...claimed, isFull: claimed.isFull || isKnown }
    })
  }

  // The limit is counted before the rows are locked, so claims of a queue run one after the other.
  const claimsExactly = (queue: string, limits: ClaimLimits) => {
    const claimUpTo = claimsBeside(queue, limits, Duration.zero)
    return (limit: number) =>
      inTransaction(sql)(
        Effect.andThen(
          execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' jobs ' || ${queue}, 0))`),
          claimUpTo(limit)
        )
      )
  }

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
     * Makes the function that claims up to a number of jobs of a queue, each the oldest of the organization with the fewest running
     * jobs, below its limit. Of a crowded queue it knows the organizations with due jobs as they were `waitingLasts` ago at most. It
     * returns none unless the turn is "beside". `hasMore` says whether other jobs are pending; unless `isFull`, these are not due or
     * above the limit.
     */
    claimsOf: (queue: string, limits: ClaimLimits, waitingLasts: Duration.Duration) =>
      limits.isCountedExactly === true ? claimsExactly(queue, limits) : claimsBeside(queue, limits, waitingLasts),

    /** Claims the oldest job whose process ended, without regard to limits. */
    claimSuspicious: (queue: string) =>
      claimedJobs.first(
        sql`
          WITH next AS (
            SELECT id, statement_timestamp() AS now FROM jobs WHERE queue_name = ${queue} AND ${isDueAlone}
            ORDER BY due_at, id LIMIT 1
            FOR UPDATE SKIP LOCKED
          ),
          claimed AS (${startNext()})
          SELECT ${claimedColumns} FROM claimed
        `.unprepared
      ),

    refresh: (claimIds: ReadonlyArray<string>) =>
      execute(
        sql`
          WITH clock AS (SELECT clock_timestamp() AS now)
          UPDATE jobs SET locked_at = clock.now FROM clock
          WHERE state = 'running' AND claim_id = ANY(${claimIds}::uuid[])
        `.unprepared
      ),

    /** Releases the jobs whose locks have expired, except the given claims. They run alone next, or are dead-lettered. */
    takeOver: (lockExpiration: Duration.Duration, except: ReadonlyArray<string>) =>
      lostJobs.all(
        sql`
          WITH clock AS (
            SELECT now(), now() - ${Duration.toMillis(lockExpiration)} * interval '1 millisecond' AS expired_at
          )
          UPDATE jobs SET
            crashes = crashes + 1,
            state = CASE WHEN crashes + 1 < ${maxCrashes} THEN 'pending' ELSE 'failed' END,
            ended_at = CASE WHEN crashes + 1 < ${maxCrashes} THEN NULL ELSE clock.now END,
            last_failure = 'Its process ended',
            claim_id = NULL,
            locked_at = NULL
          FROM clock
          WHERE state = 'running' AND claim_id <> ALL(${except}::uuid[]) AND locked_at < clock.expired_at
          RETURNING id, queue_name, request_id, last_failure, state = 'failed' AS is_dead_lettered
        `.unprepared
      )
  }
})

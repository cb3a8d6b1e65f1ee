import { randomUUID } from "node:crypto"
import { Array as Arr, Context, Duration, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"

/** A job that this process has taken. The attempt that begins is counted in `attempts`. */
export interface ClaimedJob {
  readonly queueName: string
  readonly id: string
  /** Whose turn it is: an outcome under another claim is not stored. */
  readonly claimId: string
  readonly attempts: number
  readonly deaths: number
  readonly payload: Uint8Array
}

/** A job whose process ended, and whether it did so too often. */
export interface LostJob {
  readonly queueName: string
  readonly id: string
  readonly isSetAside: boolean
}

/**
 * How a job may be taken: beside others; alone, because a job waits whose process ended; or not at all yet, because jobs
 * were under way when this process started and nothing was heard of them since. One of those may have ended the process
 * before this one, and the next one like it would end this one, too, before anything is known of the first.
 */
export type Turn = "beside" | "alone" | "later"

/** How often the process of a job may end before the job is set aside. */
const mostDeaths = 3

const noLimit = 2 ** 31 - 1

/**
 * SQL of taking jobs and of keeping them. What runs every second is not prepared: a plan that was kept is one for the
 * table as it was, which may have been empty.
 */
export class JobClaims extends Context.Service<
  JobClaims,
  {
    /** How the next job of a queue may be taken. */
    readonly nextTurn: (queue: string) => Effect.Effect<Turn, SqlError.SqlError>
    /** Takes the oldest job of the organization that has the fewest under way, and fewer than `mostPerOrganization`. */
    readonly claim: (
      queue: string,
      mostPerOrganization: number | undefined
    ) => Effect.Effect<Option.Option<ClaimedJob>, SqlError.SqlError>
    /** Takes the oldest job whose process ended, whatever else its organization has under way. */
    readonly claimSuspicious: (queue: string) => Effect.Effect<Option.Option<ClaimedJob>, SqlError.SqlError>
    /** Says that the process of these claims is alive. */
    readonly refresh: (claimIds: ReadonlyArray<string>) => Effect.Effect<unknown, SqlError.SqlError>
    /** Counts a death of each job whose lock has expired, but for the claims given. Its next try is alone. */
    readonly takeOver: (
      lockExpiration: Duration.Duration,
      except: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<LostJob>, SqlError.SqlError>
  }
>()("@care/service-kit/jobs/JobClaims") {
  static readonly layer = Layer.effect(
    JobClaims,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { startedAt } = yield* SqlSchema.findOne({
        Request: Schema.Void,
        Result: Schema.Struct({ startedAt: Schema.Date }),
        execute: () => sql`SELECT clock_timestamp() AS started_at`
      })(undefined).pipe(Effect.orDie)

      const isDue = sql.literal("state = 'pending' AND deaths = 0 AND visible_at <= statement_timestamp()")
      const isDueAlone = sql.literal("state = 'pending' AND deaths > 0 AND visible_at <= statement_timestamp()")
      const started = () =>
        sql`state = 'processing', attempts = attempts + 1, claim_id = ${randomUUID()}, locked_at = clock_timestamp()`
      const claimed = sql.literal("jobs.queue_name, jobs.id, claim_id, attempts, deaths, payload")

      // From one organization that waits to the next by the index, so that the number of their jobs does not matter.
      const claim = (queue: string, mostPerOrganization: number) =>
        sql<ClaimedJob>`
        WITH RECURSIVE waiting AS (
          (
            SELECT organization_id FROM jobs
            WHERE queue_name = ${queue} AND state = 'pending' AND deaths = 0
            ORDER BY organization_id LIMIT 1
          )
          UNION ALL
          SELECT (
            SELECT organization_id FROM jobs
            WHERE queue_name = ${queue} AND state = 'pending' AND deaths = 0
              AND organization_id > waiting.organization_id
            ORDER BY organization_id LIMIT 1
          )
          FROM waiting WHERE organization_id IS NOT NULL
        ),
        running AS (
          SELECT organization_id, count(*) AS jobs FROM jobs
          WHERE queue_name = ${queue} AND state = 'processing'
          GROUP BY organization_id
        ),
        turn AS (
          SELECT organization_id
          FROM waiting LEFT JOIN running USING (organization_id)
          CROSS JOIN LATERAL (
            SELECT visible_at FROM jobs
            WHERE queue_name = ${queue} AND organization_id = waiting.organization_id AND ${isDue}
            ORDER BY visible_at LIMIT 1
          ) AS oldest
          WHERE coalesce(running.jobs, 0) < ${mostPerOrganization}
          ORDER BY coalesce(running.jobs, 0), oldest.visible_at
          LIMIT 1
        ),
        next AS (
          SELECT queue_name, id FROM jobs
          WHERE queue_name = ${queue} AND organization_id = (SELECT organization_id FROM turn) AND ${isDue}
          ORDER BY visible_at, id LIMIT 1
          FOR UPDATE SKIP LOCKED
        )
        UPDATE jobs SET ${started()} FROM next
        WHERE jobs.queue_name = next.queue_name AND jobs.id = next.id
        RETURNING ${claimed}
      `.unprepared

      // The limit is counted before the claim, so claims of a queue with one wait for each other.
      const claimWithin = (queue: string, most: number) =>
        sql.withTransaction(
          Effect.andThen(
            sql`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' jobs ' || ${queue}, 0))`,
            claim(queue, most)
          )
        )

      return JobClaims.of({
        nextTurn: (queue) =>
          sql<{ turn: Turn }>`
            SELECT CASE
              WHEN EXISTS (
                SELECT FROM jobs WHERE queue_name = ${queue} AND state = 'processing' AND locked_at < ${startedAt}
              ) THEN 'later'
              WHEN EXISTS (SELECT FROM jobs WHERE queue_name = ${queue} AND ${isDueAlone}) THEN 'alone'
              ELSE 'beside'
            END AS turn
          `.unprepared.pipe(Effect.map(([next]) => next?.turn ?? "later")),
        claim: (queue, mostPerOrganization) =>
          (mostPerOrganization === undefined ? claim(queue, noLimit) : claimWithin(queue, mostPerOrganization)).pipe(
            Effect.map(Arr.head)
          ),
        claimSuspicious: (queue) =>
          sql<ClaimedJob>`
            WITH next AS (
              SELECT queue_name, id FROM jobs WHERE queue_name = ${queue} AND ${isDueAlone}
              ORDER BY visible_at, id LIMIT 1
              FOR UPDATE SKIP LOCKED
            )
            UPDATE jobs SET ${started()} FROM next
            WHERE jobs.queue_name = next.queue_name AND jobs.id = next.id
            RETURNING ${claimed}
          `.unprepared.pipe(Effect.map(Arr.head)),
        refresh: (claimIds) => sql`
          UPDATE jobs SET locked_at = clock_timestamp()
          WHERE state = 'processing' AND claim_id = ANY(${claimIds}::uuid[])
        `,
        takeOver: (lockExpiration, except) =>
          sql<LostJob>`
          UPDATE jobs SET
            deaths = deaths + 1,
            state = CASE WHEN deaths + 1 < ${mostDeaths} THEN 'pending' ELSE 'failed' END,
            ended_at = CASE WHEN deaths + 1 < ${mostDeaths} THEN NULL ELSE now() END,
            last_failure = 'Its process ended',
            claim_id = NULL,
            locked_at = NULL
          WHERE state = 'processing' AND claim_id <> ALL(${except}::uuid[])
            AND locked_at < now() - ${Duration.toMillis(lockExpiration)} * interval '1 millisecond'
          RETURNING queue_name, id, state = 'failed' AS is_set_aside
        `.unprepared
      })
    })
  )
}

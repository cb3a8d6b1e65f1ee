import { Clock, Duration, Effect, Exit, Metric, Schedule, Scope } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { databaseUrl, optionalSecret } from "../config/secrets.ts"
import { MayReadStandby } from "./Lane.ts"
import type { Pool } from "./makePool.ts"

export const readDatabaseUrlSetting = optionalSecret(
  databaseUrl,
  "READ_DATABASE_URL",
  "a hot standby of the service's database (streaming replication), from which lists, searches, the audit and exports are read. Under `start` only its host and port count ([details](operations.md#a-standby))"
)

const reads = Metric.counter("standby_reads_total", {
  description:
    "Slow reads that may come from the standby, by where they came from: the standby, or the primary because the standby was behind or away",
  incremental: true
})

type Outcome = "standby" | "behind" | "away"

// What is committed has been flushed. Both functions read the control file, which names the cluster.
const positionOfPrimary = "SELECT pg_current_wal_flush_lsn()::text, system_identifier::text FROM pg_control_system()"
const hasReplayed =
  "SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn AND system_identifier::text = $2, false) FROM pg_control_system()"

/** How often a read looks whether the standby has what is committed: for 100 ms. */
const polls = { times: 20, schedule: Schedule.spaced("5 millis") }

/** How long a read waits for a connection and an answer of the standby. */
const maxWait = Duration.seconds(1)

/** How long the standby is left alone after it was behind or away. */
const rest = Duration.seconds(5)

/**
 * Makes a pool that lends connections of the standby to reads that may come from it (`MayReadStandby`), and otherwise those of the primary. The
 * standby has replayed everything that was committed when the read began. If it has not within 100 ms, or does not answer, the read is made on
 * the primary, and so are all reads of the next five seconds.
 */
export const withStandby = (primary: Pool, standby: Pool): Pool => {
  let restsUntil = 0
  let last: Outcome = "standby"

  const note = (outcome: Outcome, now: number) =>
    Effect.suspend(() => {
      const isNew = outcome !== last
      last = outcome
      restsUntil = outcome === "standby" ? 0 : now + Duration.toMillis(rest)
      return isNew
        ? Effect.logWarning(
            outcome === "standby"
              ? "Slow reads use the standby again"
              : `Slow reads use the primary, because the standby is ${outcome}`
          )
        : Effect.void
    })
  const count = (outcome: Outcome) => Metric.update(Metric.withAttributes(reads, { outcome }), 1)

  const current = Effect.gen(function* () {
    const [position = []] = yield* primary.use((connection) => connection.executeValues(positionOfPrimary, []))
    const connection = yield* standby.reserve
    const look = Effect.map(connection.executeValues(hasReplayed, position), ([row]) => row?.[0] === true)
    const isCurrent = yield* Effect.repeat(look, { until: (isCurrent) => isCurrent, ...polls })
    return isCurrent ? connection : undefined
  })

  const attempt = Effect.interruptible(current).pipe(
    Effect.timeout(maxWait),
    Effect.map((connection) => ({
      connection,
      outcome: connection === undefined ? ("behind" as const) : ("standby" as const)
    })),
    Effect.catch(() => Effect.succeed({ connection: undefined, outcome: "away" as const }))
  )

  const reserve = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now >= restsUntil) {
      // After a rest one read tries, and others stay on the primary meanwhile.
      if (last !== "standby") restsUntil = now + Duration.toMillis(rest)
      const scope = yield* Scope.fork(yield* Effect.scope)
      const { connection, outcome } = yield* Scope.provide(attempt, scope)
      yield* note(outcome, now)
      if (connection !== undefined) {
        yield* count("standby")
        return { connection, isStandby: true }
      }
      yield* Scope.close(scope, Exit.void)
    }
    yield* count(last)
    return { connection: yield* primary.reserve, isStandby: false }
  })

  const ifAllowed = <A, E, R>(fromStandby: Effect.Effect<A, E, R>, fromPrimary: Effect.Effect<A, E, R>) =>
    Effect.flatMap(MayReadStandby, (isAllowed) => (isAllowed ? fromStandby : fromPrimary))

  return {
    use: <A, E, R>(f: (connection: SqlConnection.Connection) => Effect.Effect<A, E, R>) => {
      const onPrimary = primary.use(f)
      // It only reads, so it may be done again: the standby stopped, or cancelled it because of what it replays.
      const again = Effect.andThen(
        Effect.flatMap(Clock.currentTimeMillis, (now) => note("away", now)),
        onPrimary
      )
      const onStandby = (scope: Scope.Scope) =>
        Effect.flatMap(Scope.provide(reserve, scope), ({ connection, isStandby }) => {
          const read: Effect.Effect<A, E | SqlError.SqlError, R> = f(connection)
          return isStandby ? Effect.catchIf(read, SqlError.isSqlError, () => again) : read
        })
      return ifAllowed(Effect.acquireUseRelease(Scope.make(), onStandby, Scope.close), onPrimary)
    },
    reserve: ifAllowed(
      Effect.map(reserve, ({ connection }) => connection),
      primary.reserve
    )
  }
}

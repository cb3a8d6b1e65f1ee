import { type Cause, DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "../sql/transactions.ts"
import { safeCause } from "../telemetry/safeCause.ts"
import { type Allowed, makeStoredAmountsRepo, type StoredAmount } from "./makeStoredAmountsRepo.ts"
import type { StoredRows } from "./Quotas.ts"

/** Logs that a count failed. The next step tries again. */
export const logUncounted = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.logWarning("Stored rows cannot be counted now: this is tried again", safeCause(cause))

// New rows are counted at this age, when most transactions that stored them have ended. A full count finds the others.
const settlingSeconds = 10

// A full count, which notices removed rows, is repeated after a day, or after a minute if the quota is reached.
const dueBefore = (now: DateTime.Utc) => ({
  usual: DateTime.toDateUtc(DateTime.subtract(now, { days: 1 })),
  reached: DateTime.toDateUtc(DateTime.subtract(now, { minutes: 1 }))
})

// The maximum of full counts in a step: of amounts whose quota is reached, and as many of the others.
const maxRecounts = 10

// When a failed full count is tried again.
const recountRetryDelay = "10 minutes"

// The rows that a statement counts within its time limit, and the maximum of statements in a step.
const rowsPerStatement = 100_000
const maxStatements = 10

/**
 * Makes a step that counts what organizations store. It adds the rows since the last step, and makes full counts of some amounts. One
 * process at a time counts a kind. A step costs as much as was stored since the last one. A failure delays no other kind and no other
 * amount.
 */
export const makeCountStored = Effect.fnUntraced(function* (kinds: ReadonlyArray<StoredRows>, allowed: Allowed) {
  const repo = yield* makeStoredAmountsRepo
  const sql = yield* SqlClient.SqlClient

  const endOf = Effect.fnUntraced(function* (stored: StoredRows, from: Date, to: Date) {
    const end = yield* repo.timeAfter(stored, from, to, rowsPerStatement)
    // Includes at least the rows of one millisecond.
    return Option.match(end, {
      onNone: () => to,
      onSome: ({ time }) => (time > from ? time : new Date(from.getTime() + 1))
    })
  })

  const addBatch = Effect.fnUntraced(function* (stored: StoredRows, to: Date, now: Date) {
    const counted = yield* repo.lockCount(stored.kind)
    if (Option.isNone(counted) || counted.value.until >= to) return "all"
    const { until } = counted.value
    const end = yield* endOf(stored, until, to)
    yield* repo.add(stored, until, end, now)
    yield* repo.setCounted(stored.kind, end)
    return end >= to ? "all" : "some"
  }, inTransaction(sql))

  const addNew = Effect.fnUntraced(function* (stored: StoredRows, now: DateTime.Utc) {
    const to = DateTime.toDateUtc(DateTime.subtract(now, { seconds: settlingSeconds }))
    for (let times = 0; times < maxStatements; times += 1) {
      if ((yield* addBatch(stored, to, DateTime.toDateUtc(now))) === "all") return
    }
  })

  const recount = Effect.fnUntraced(function* ({ kind, organizationId }: StoredAmount, now: DateTime.Utc) {
    const stored = kinds.find((stored) => stored.kind === kind)
    if (stored === undefined) return
    const counted = yield* repo.lockCount(kind)
    if (Option.isSome(counted)) {
      yield* repo.recount(stored, organizationId, counted.value.until, DateTime.toDateUtc(now))
    }
  }, inTransaction(sql))

  // Stops after a failure, which may have taken the whole time limit of a statement.
  const recountDue = Effect.fnUntraced(function* (now: DateTime.Utc) {
    const before = dueBefore(now)
    const due = [
      ...(yield* repo.dueReached(allowed, before.reached, maxRecounts)),
      ...(yield* repo.dueUsual(allowed, before.usual, maxRecounts))
    ]
    const postponed = dueBefore(DateTime.addDuration(now, recountRetryDelay))
    for (const amount of due) {
      const isCounted = yield* recount(amount, now).pipe(
        Effect.as(true),
        Effect.catchCause((cause) =>
          Effect.as(Effect.andThen(logUncounted(cause), repo.postpone(allowed, amount, postponed)), false)
        )
      )
      if (!isCounted) return
    }
  })

  yield* repo.begin(kinds.map(({ kind }) => kind))
  return Effect.gen(function* () {
    const now = yield* DateTime.now
    for (const stored of kinds) yield* Effect.catchCause(addNew(stored, now), logUncounted)
    yield* recountDue(now)
  })
})

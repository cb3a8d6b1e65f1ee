import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "../sql/inTransaction.ts"
import { countedLater } from "./countedLater.ts"
import { type Allowed, makeStoredAmountsRepo, type StoredPlace } from "./makeStoredAmountsRepo.ts"
import type { StoredRows } from "./StoredRows.ts"

// A row is counted when it is so old that the transaction that stored it has mostly ended; what comes later is found when all is
// counted again.
const settlingSeconds = 10

// How old the whole count of an amount may be: what is removed shows then. Sooner where it keeps an organization from storing.
const dueBefore = (now: DateTime.Utc) => ({
  usual: DateTime.toDateUtc(DateTime.subtract(now, { days: 1 })),
  reached: DateTime.toDateUtc(DateTime.subtract(now, { minutes: 1 }))
})

// Of each: those whose quota is reached, and the others.
const mostRecounts = 10

// After which an amount is counted whole again that could not be.
const retriedAfter = "10 minutes"

// How many rows a statement adds, which is within the time that statements have, and how many of these a step makes.
const rowsAtOnce = 100_000
const mostAtOnce = 10

/**
 * Makes a step of counting what organizations store: what was stored since the last one is added, and some amounts are counted
 * whole. Of several processes one does it, kind by kind; it costs what was stored meanwhile, however much there is. What fails
 * holds up nothing else: a kind is gone on with by the next step, an amount is counted some minutes later.
 */
export const makeCountStored = Effect.fnUntraced(function* (kinds: ReadonlyArray<StoredRows>, allowed: Allowed) {
  const repo = yield* makeStoredAmountsRepo
  const sql = yield* SqlClient.SqlClient

  const endOf = Effect.fnUntraced(function* (stored: StoredRows, from: Date, to: Date) {
    const end = yield* repo.timeAfter(stored, from, to, rowsAtOnce)
    // Rows of one millisecond are added together.
    return Option.match(end, {
      onNone: () => to,
      onSome: ({ time }) => (time > from ? time : new Date(from.getTime() + 1))
    })
  })

  const addSome = Effect.fnUntraced(function* (stored: StoredRows, to: Date, now: Date) {
    const turn = yield* repo.takeTurn(stored.kind)
    if (Option.isNone(turn) || turn.value.until >= to) return "all"
    const { until } = turn.value
    const end = yield* endOf(stored, until, to)
    yield* repo.add(stored, until, end, now)
    yield* repo.endTurn(stored.kind, end)
    return end >= to ? "all" : "some"
  }, inTransaction(sql))

  const addNew = Effect.fnUntraced(function* (stored: StoredRows, now: DateTime.Utc) {
    const to = DateTime.toDateUtc(DateTime.subtract(now, { seconds: settlingSeconds }))
    for (let times = 0; times < mostAtOnce; times += 1) {
      if ((yield* addSome(stored, to, DateTime.toDateUtc(now))) === "all") return
    }
  })

  const recount = Effect.fnUntraced(function* ({ kind, organizationId }: StoredPlace, now: DateTime.Utc) {
    const stored = kinds.find((stored) => stored.kind === kind)
    if (stored === undefined) return
    const turn = yield* repo.takeTurn(kind)
    if (Option.isSome(turn)) {
      yield* repo.recount(stored, organizationId, turn.value.until, DateTime.toDateUtc(now))
    }
  }, inTransaction(sql))

  // One that fails may have taken as long as a statement may: the others follow in the next step.
  const recountDue = Effect.fnUntraced(function* (now: DateTime.Utc) {
    const before = dueBefore(now)
    const due = [
      ...(yield* repo.dueReached(allowed, before.reached, mostRecounts)),
      ...(yield* repo.dueUsual(allowed, before.usual, mostRecounts))
    ]
    const putOff = dueBefore(DateTime.addDuration(now, retriedAfter))
    for (const place of due) {
      const isCounted = yield* recount(place, now).pipe(
        Effect.as(true),
        Effect.catchCause((cause) =>
          Effect.as(Effect.andThen(countedLater(cause), repo.putOff(allowed, place, putOff)), false)
        )
      )
      if (!isCounted) return
    }
  })

  yield* repo.begin(kinds.map(({ kind }) => kind))
  return Effect.gen(function* () {
    const now = yield* DateTime.now
    for (const stored of kinds) yield* Effect.catchCause(addNew(stored, now), countedLater)
    yield* recountDue(now)
  })
})

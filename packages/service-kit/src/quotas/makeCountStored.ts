import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "../sql/inTransaction.ts"
import { type Allowed, makeStoredAmountsRepo } from "./makeStoredAmountsRepo.ts"
import type { StoredRows } from "./StoredRows.ts"

// A row is counted when it is so old that the transaction that stored it has mostly ended; what comes later is found when all is
// counted again.
const settlingSeconds = 10

// How old the whole count of an amount may be: what is removed shows then. Sooner where it keeps an organization from storing.
const recountedWithin = { usual: { days: 1 }, reached: { minutes: 1 } } as const

// Of each: those whose quota is reached, and the others.
const mostRecounts = 10

/**
 * Makes a step of counting what organizations store: what was stored since the last one is added, and some amounts are counted
 * whole. Of several processes one does it, kind by kind; it costs what was stored meanwhile, however much there is.
 */
export const makeCountStored = Effect.fnUntraced(function* (kinds: ReadonlyArray<StoredRows>, allowed: Allowed) {
  const repo = yield* makeStoredAmountsRepo
  const sql = yield* SqlClient.SqlClient

  const addNew = Effect.fnUntraced(function* (stored: StoredRows, now: DateTime.Utc) {
    const turn = yield* repo.takeTurn(stored.kind)
    const to = DateTime.toDateUtc(DateTime.subtract(now, { seconds: settlingSeconds }))
    if (Option.isNone(turn) || turn.value.until >= to) return
    yield* repo.add(stored, turn.value.until, to, DateTime.toDateUtc(now))
    yield* repo.endTurn(stored.kind, to)
  }, inTransaction(sql))

  const recountDue = Effect.fnUntraced(function* (now: DateTime.Utc) {
    const before = {
      usual: DateTime.toDateUtc(DateTime.subtract(now, recountedWithin.usual)),
      reached: DateTime.toDateUtc(DateTime.subtract(now, recountedWithin.reached))
    }
    const due = [
      ...(yield* repo.dueReached(allowed, before.reached, mostRecounts)),
      ...(yield* repo.dueUsual(allowed, before.usual, mostRecounts))
    ]
    for (const { kind, organizationId } of due) {
      const stored = kinds.find((stored) => stored.kind === kind)
      if (stored !== undefined) yield* recount(stored, organizationId, DateTime.toDateUtc(now))
    }
  })

  const recount = Effect.fnUntraced(function* (
    stored: StoredRows,
    organizationId: Parameters<typeof repo.recount>[1],
    now: Date
  ) {
    const turn = yield* repo.takeTurn(stored.kind)
    if (Option.isSome(turn)) yield* repo.recount(stored, organizationId, turn.value.until, now)
  }, inTransaction(sql))

  yield* repo.begin(kinds.map(({ kind }) => kind))
  return Effect.gen(function* () {
    const now = yield* DateTime.now
    for (const stored of kinds) yield* addNew(stored, now)
    yield* recountDue(now)
  })
})

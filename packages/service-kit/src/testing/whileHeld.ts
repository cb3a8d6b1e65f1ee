import { Array as Arr, Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countLockWaits } from "./countLockWaits.ts"
import { until } from "./until.ts"

/**
 * Runs an effect in a transaction, and commits when each of the others, which began after it in a transaction of its own, waits for a lock
 * or has ended.
 */
export const whileHeld = Effect.fnUntraced(function* <A, B, E, R, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  others: ReadonlyArray<Effect.Effect<B, E2, R2>>
) {
  const sql = yield* SqlClient.SqlClient
  const started = yield* Deferred.make<void>()
  const ends = yield* Effect.forEach(others, () => Deferred.make<void>())
  const areAllWaiting = Effect.gen(function* () {
    const done = yield* Effect.filter(ends, Deferred.isDone)
    return done.length + (yield* countLockWaits()) >= others.length
  })

  const holder = sql.withTransaction(
    Effect.tap(effect, () =>
      Effect.andThen(
        Deferred.succeed(started, undefined),
        until(areAllWaiting, (isTrue) => isTrue)
      )
    )
  )
  const waiting = Arr.zip(others, ends).map(([other, end]) =>
    Deferred.await(started).pipe(
      Effect.andThen(sql.withTransaction(other)),
      Effect.ensuring(Deferred.succeed(end, undefined))
    )
  )
  return yield* Effect.all([holder, Effect.all(waiting, { concurrency: "unbounded" })], { concurrency: "unbounded" })
})

import { ofNobody, SealedFor } from "@care/phi"
import { inTransaction } from "@care/service-kit"
import { Cause, type Duration, Effect, Fiber, type Option, Schedule, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type HeldKey, makeIdempotencyKeysRepo } from "./IdempotencyKeysRepo.ts"
import type { OnceOperation } from "./onceOperation.ts"

/**
 * The work of a request in two steps. The first checks the request and calls other services, idempotent by the ids, outside any transaction.
 * It succeeds with the second, the change, which only uses the database and returns the answer.
 */
export type OnceWork<Ids, Answer, E1, R1, E2, R2> = (ids: Ids) => Effect.Effect<Effect.Effect<Answer, E2, R2>, E1, R1>

/** A third of the lease, so that one lost renewal does not end it. */
const renewalInterval: Duration.Input = "2 seconds"

/**
 * Makes the function that does the work under a key that the caller holds. The change and its answer commit together. Returns none, and
 * has changed nothing, if another request has taken the key over meanwhile.
 */
export const makePerformHeld = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const repo = yield* makeIdempotencyKeysRepo

  // Renews the lease as long as the work takes.
  const whileRenewed = <A, E, R>(heldKey: HeldKey, work: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.ignoreCause(Effect.delay(repo.renew(heldKey), renewalInterval)).pipe(
        Effect.repeat(Schedule.forever),
        Effect.forkChild
      ),
      () => work,
      Fiber.interrupt
    )

  const keep = Effect.fnUntraced(function* (heldKey: HeldKey, answer: Schema.Json, { key }: SealedFor) {
    const isKept = yield* repo.keep(heldKey, answer, key ?? ofNobody)
    if (!isKept) return yield* Effect.die(new Error("Another request took the idempotency key over"))
  })

  // If the database does not answer here either, the lease expires by itself.
  const release = <E>(heldKey: HeldKey, cause: Cause.Cause<E>) =>
    (Cause.hasFails(cause) ? repo.free(heldKey) : repo.endLease(heldKey)).pipe(
      Effect.catchCause(() => Effect.succeed(true)),
      Effect.flatMap((wasHeld) => (wasHeld ? Effect.failCause(cause) : Effect.succeedNone))
    )

  return <Ids, Answer, E1, R1, E2, R2>(
    operation: OnceOperation<Ids, Answer>,
    heldKey: HeldKey,
    ids: Readonly<Record<string, string>>,
    work: OnceWork<Ids, Answer, E1, R1, E2, R2>
  ): Effect.Effect<Option.Option<Answer>, E1 | E2, R1 | R2> =>
    Effect.gen(function* () {
      const change = yield* work(operation.idsFrom(ids))
      const sealedFor: SealedFor = {}
      const tracked = Effect.provideService(change, SealedFor, sealedFor)
      return yield* inTransaction(sql)(
        Effect.tap(tracked, (answer) => keep(heldKey, operation.write(answer), sealedFor))
      )
    }).pipe(
      (transaction) => whileRenewed(heldKey, transaction),
      Effect.onInterrupt(() => repo.endLease(heldKey)),
      Effect.asSome,
      Effect.catchCause((cause) => release(heldKey, cause))
    )
})

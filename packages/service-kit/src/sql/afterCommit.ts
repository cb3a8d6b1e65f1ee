import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** What waits for the commit of the transaction under way; undefined outside of any. */
const Waiting = Context.Reference<Array<Effect.Effect<void>> | undefined>("@care/service-kit/sql/Waiting", {
  defaultValue: () => undefined
})

/**
 * Does something when the transaction under way has committed, and not at all when it, or the part of it that asked, rolls
 * back; at once outside of any transaction. For what tells others of rows, which they do not see before.
 */
export const afterCommit = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(Waiting, (waiting) => (waiting === undefined ? effect : Effect.sync(() => void waiting.push(effect))))

/** Lets the transactions of a client know `afterCommit`. What is inside another one waits for the commit of that. */
export const withAfterCommit = (client: SqlClient.SqlClient): SqlClient.SqlClient => {
  const { withTransaction } = client
  return Object.assign(client, {
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      // An interruption that comes during the commit waits until what was committed is told.
      Effect.uninterruptibleMask((restore) => {
        const waiting: Array<Effect.Effect<void>> = []
        return Effect.tap(withTransaction(restore(Effect.provideService(effect, Waiting, waiting))), () =>
          Effect.forEach(waiting, afterCommit, { discard: true })
        )
      })
  })
}

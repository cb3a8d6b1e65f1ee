import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** The effects that wait for the commit of the current transaction; undefined outside of one. */
const Waiting = Context.Reference<Array<Effect.Effect<void>> | undefined>("@care/service-kit/sql/Waiting", {
  defaultValue: () => undefined
})

/** Runs an effect after the commit of the outermost transaction, or immediately outside of one, and not after a rollback. */
export const afterCommit = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(Waiting, (waiting) => (waiting === undefined ? effect : Effect.sync(() => void waiting.push(effect))))

/** Adds `afterCommit` to the transactions of a client. Nested transactions wait for the commit of the outermost one. */
export const withAfterCommit = (client: SqlClient.SqlClient): SqlClient.SqlClient => {
  const { withTransaction } = client
  return Object.assign(client, {
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      // An interruption during the commit waits until the effects have run.
      Effect.uninterruptibleMask((restore) => {
        const waiting: Array<Effect.Effect<void>> = []
        return Effect.tap(withTransaction(restore(Effect.provideService(effect, Waiting, waiting))), () =>
          Effect.forEach(waiting, afterCommit, { discard: true })
        )
      })
  })
}

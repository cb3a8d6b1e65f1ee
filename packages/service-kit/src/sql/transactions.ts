import { Context, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { requireNotReset } from "./requireNotReset.ts"

/** The effects that wait for the commit of the current transaction; undefined outside of one. */
const Waiting = Context.Reference<Array<Effect.Effect<void>> | undefined>("@care/service-kit/sql/Waiting", {
  defaultValue: () => undefined
})

/** Runs an effect after the commit of the outermost transaction, or immediately outside of one, and not after a rollback. */
export const afterCommit = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(Waiting, (waiting) => (waiting === undefined ? effect : Effect.sync(() => void waiting.push(effect))))

/**
 * Adds `afterCommit` to the transactions of a client, and the check of `requireNotReset`. Nested transactions wait for the commit of the
 * outermost one.
 */
export const withAfterCommit = (client: SqlClient.SqlClient): SqlClient.SqlClient => {
  const { withTransaction } = client
  const check = requireNotReset(client)
  return Object.assign(client, {
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      // An interruption during the commit waits until the effects have run.
      Effect.uninterruptibleMask((restore) => {
        const waiting: Array<Effect.Effect<void>> = []
        const inside = Effect.andThen(check, Effect.provideService(effect, Waiting, waiting))
        return Effect.tap(withTransaction(restore(inside)), () =>
          Effect.forEach(waiting, afterCommit, { discard: true })
        )
      })
  })
}

/** Runs a change in a transaction. Its failure rolls it back and stays typed. A failure of the transaction itself is a defect. */
export const inTransaction =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    sql
      .withTransaction(Effect.mapError(change, (refusal) => ({ _tag: "Refused" as const, refusal })))
      .pipe(Effect.catchTags({ SqlError: Effect.die, Refused: ({ refusal }) => Effect.fail(refusal) }))

/** Makes a check that dies inside a transaction, which would hold a connection while it waits for another server. */
export const outsideTransaction = (what: string) =>
  Effect.map(
    Effect.serviceOption(SqlClient.SqlClient),
    Option.match({
      onNone: () => Effect.void,
      onSome: ({ transactionService }) =>
        Effect.flatMap(Effect.serviceOption(transactionService), (transaction) =>
          Option.isNone(transaction)
            ? Effect.void
            : Effect.die(new Error(`${what} inside a database transaction: do it before the transaction begins`))
        )
    })
  )

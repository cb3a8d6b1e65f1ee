import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"

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

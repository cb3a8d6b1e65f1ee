import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * Runs what reads much on a connection of its own, and gives it back; a transaction has one already. On a connection that
 * statements share, the driver (4.0.5) holds the rows of all of them until none is on its way: one large result after the
 * other, and they fill the memory.
 */
export const onOwnConnection =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
      Option.isSome(transaction)
        ? effect
        : Effect.scoped(
            Effect.flatMap(sql.reserve, (connection) =>
              Effect.provideService(effect, sql.transactionService, [connection, 0])
            )
          )
    )

import { Effect } from "effect"
import { SqlError } from "effect/sql"

const violates = (error: unknown, constraint: string): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation" && error.reason.constraint === constraint

/** What it means that a unique constraint or index refuses what a statement writes. Its other errors stay as they are. */
export const onViolation =
  <B, E2>(constraint: string, meaning: () => Effect.Effect<B, E2>) =>
  <A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A | B, E | E2> =>
    Effect.catchIf(statement, (error) => violates(error, constraint), meaning)

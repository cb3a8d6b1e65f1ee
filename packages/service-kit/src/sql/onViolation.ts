import { Effect } from "effect"
import { SqlError } from "effect/sql"

const violates = (error: unknown, constraint: string): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation" && error.reason.constraint === constraint

/** Replaces the violation of a unique constraint or index by its meaning. Other errors of the statement stay. */
export const onViolation =
  <B, E2>(constraint: string, meaning: () => Effect.Effect<B, E2>) =>
  <A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A | B, E | E2> =>
    Effect.catchIf(statement, (error) => violates(error, constraint), meaning)

import { Array as Arr, Effect, type Option, type Schema } from "effect"
import { SqlError } from "effect/sql"
import { decodeInBatches } from "./decodeInBatches.ts"

/** A statement, whose errors with a meaning have already become typed errors. */
export type Query<E> = Effect.Effect<ReadonlyArray<unknown>, E>
type Refusal<E> = Exclude<E, SqlError.SqlError>

const isRefusal = <E>(error: E): error is Refusal<E> => !SqlError.isSqlError(error)

const orDie = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, Refusal<E>> =>
  Effect.catch(effect, (error) => (isRefusal(error) ? Effect.fail(error) : Effect.die(error)))

/** Runs a statement and ignores its rows. An error of the database is a defect. */
export const execute = <E>(query: Query<E>): Effect.Effect<void, Refusal<E>> => Effect.asVoid(orDie(query))

/** Returns whether a statement returned a row: a query found one, or a change with RETURNING changed one. */
export const affects = <E>(query: Query<E>): Effect.Effect<boolean, Refusal<E>> =>
  Effect.map(orDie(query), ({ length }) => length > 0)

/** Runs statements whose rows have one schema, and decodes many rows in batches. An error of the database and an invalid row are defects. */
export const rowsOf = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = decodeInBatches(row)
  const all = <E>(query: Query<E>): Effect.Effect<ReadonlyArray<A>, Refusal<E>> =>
    Effect.flatMap(orDie(query), (rows) => Effect.orDie(decode(rows)))
  return {
    all,
    first: <E>(query: Query<E>): Effect.Effect<Option.Option<A>, Refusal<E>> => Effect.map(all(query), Arr.head),
    /** Returns the row of a statement that always has one. */
    one: <E>(query: Query<E>): Effect.Effect<A, Refusal<E>> =>
      Effect.flatMap(all(query), ([first]) =>
        first === undefined
          ? Effect.die(new Error("A statement that always has a row had none"))
          : Effect.succeed(first)
      )
  }
}

const ofShard = /^duplicate key value violates unique constraint "(\w+)_\d+"$/

// A Citus coordinator names the constraint only in its message, with the number of the shard: "users_phone_number_102030". An error of
// rows that it copied to the shard has no SQLSTATE of its own either.
const constraintOf = ({ reason }: SqlError.SqlError): string | undefined => {
  if (reason._tag === "UniqueViolation" && reason.constraint !== "unknown") return reason.constraint
  const [, constraint] = ofShard.exec(reason.cause instanceof Error ? reason.cause.message : "") ?? []
  return constraint
}

/** Replaces the violation of a unique constraint or index with such a name by its meaning. Other errors of the statement stay. */
export const onViolation =
  <B, E2>(constraint: string | RegExp, meaning: () => Effect.Effect<B, E2>) =>
  <A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A | B, E | E2> => {
    const isMeant = (name: string) => (typeof constraint === "string" ? name === constraint : constraint.test(name))
    const violates = (error: unknown): boolean => SqlError.isSqlError(error) && isMeant(constraintOf(error) ?? "")
    return Effect.catchIf(statement, violates, meaning)
  }

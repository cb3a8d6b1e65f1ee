import { Array as Arr, Effect, type Option, type Schema } from "effect"
import { SqlError } from "effect/sql"
import { decodeInBatches } from "./decodeInBatches.ts"

/** A statement; what its errors mean, where they mean something, has become a typed error before. */
export type Query<E> = Effect.Effect<ReadonlyArray<unknown>, E>
type Refusal<E> = Exclude<E, SqlError.SqlError>

const isRefusal = <E>(error: E): error is Refusal<E> => !SqlError.isSqlError(error)

const orDie = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, Refusal<E>> =>
  Effect.catch(effect, (error) => (isRefusal(error) ? Effect.fail(error) : Effect.die(error)))

/** Runs a statement whose rows do not matter. What the database refuses is a defect. */
export const execute = <E>(query: Query<E>): Effect.Effect<void, Refusal<E>> => Effect.asVoid(orDie(query))

/** How many rows a statement changed, which returns one for each. */
export const affected = <E>(query: Query<E>): Effect.Effect<number, Refusal<E>> =>
  Effect.map(orDie(query), ({ length }) => length)

/** Whether a statement changed a row, which it returns. */
export const affects = <E>(query: Query<E>): Effect.Effect<boolean, Refusal<E>> =>
  Effect.map(affected(query), (rows) => rows > 0)

export const finds = affects

/** How the rows of one shape are read, in turns with others when they are many. What the database refuses, and a row of another shape, is a defect. */
export const rowsOf = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = decodeInBatches(row)
  const all = <E>(query: Query<E>): Effect.Effect<ReadonlyArray<A>, Refusal<E>> =>
    Effect.flatMap(orDie(query), (rows) => Effect.orDie(decode(rows)))
  return {
    all,
    /** The first row, if there is one. */
    first: <E>(query: Query<E>): Effect.Effect<Option.Option<A>, Refusal<E>> => Effect.map(all(query), Arr.head),
    /** The one row of a statement that always has one. */
    one: <E>(query: Query<E>): Effect.Effect<A, Refusal<E>> =>
      Effect.flatMap(all(query), ([first]) =>
        first === undefined
          ? Effect.die(new Error("A statement that always has a row had none"))
          : Effect.succeed(first)
      )
  }
}

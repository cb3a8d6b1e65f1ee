import { Cause, Effect } from "effect"

// The base class of Effect's errors, right below `Error`.
const yieldableError = (): object => {
  let found: object = Cause.NoSuchElementError
  for (let above = Object.getPrototypeOf(found); above !== Error; above = Object.getPrototypeOf(found)) found = above
  return found
}

/** Returns the number of Effect errors that are created during some work. Each takes an expensive stack trace. */
export const errorsMade = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    let count = 0
    class Counted extends Error {
      constructor(...args: ConstructorParameters<typeof Error>) {
        super(...args)
        count += 1
      }
    }
    const target = yieldableError()
    Object.setPrototypeOf(target, Counted)
    return work.pipe(
      Effect.map(() => count),
      Effect.ensuring(Effect.sync(() => Object.setPrototypeOf(target, Error)))
    )
  })

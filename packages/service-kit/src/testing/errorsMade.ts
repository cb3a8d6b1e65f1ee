import { Cause, Effect } from "effect"

// The class of all errors that Effect programs fail with: the one right below `Error`.
const yieldableError = (): object => {
  let found: object = Cause.NoSuchElementError
  for (let above = Object.getPrototypeOf(found); above !== Error; above = Object.getPrototypeOf(found)) found = above
  return found
}

/** How many errors that an Effect can fail with are made while something runs: each takes its stack, which is dear. */
export const errorsMade = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    let made = 0
    class Counted extends Error {
      constructor(...args: ConstructorParameters<typeof Error>) {
        super(...args)
        made += 1
      }
    }
    const target = yieldableError()
    Object.setPrototypeOf(target, Counted)
    return work.pipe(
      Effect.map(() => made),
      Effect.ensuring(Effect.sync(() => Object.setPrototypeOf(target, Error)))
    )
  })

import { Predicate, Record } from "effect"

/** Returns the columns that a change gives: those that are not undefined. */
export const givenColumns = (change: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Record.filter({ ...change }, Predicate.isNotUndefined)

import { Predicate } from "effect"
import { SqlError } from "effect/sql"

/** Returns the SQLSTATE of a failed statement; empty if another thing failed, or the server did not answer. */
export const sqlStateOf = (failure: unknown): string => {
  const cause = SqlError.isSqlError(failure) ? failure.reason.cause : undefined
  return Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) ? cause.code : ""
}

import { Cause, Predicate } from "effect"
import { SqlError } from "effect/sql"

/** Where a database is, without the credentials of its URL. */
export const databaseHost = (url: string): string =>
  URL.canParse(url) ? new URL(url).host : "an address that is no URL"

/** Why a database cannot be used, in the words of the server or the system. */
export const databaseFailure = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  const inner = SqlError.isSqlError(failure) ? failure.reason.cause : failure
  const innermost = Predicate.hasProperty(inner, "cause") && inner.cause instanceof Error ? inner.cause : inner
  return innermost instanceof Error ? innermost.message : String(innermost)
}

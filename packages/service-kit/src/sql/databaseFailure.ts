import { Cause, Predicate, Redacted } from "effect"
import { SqlError } from "effect/sql"
import { BootError } from "../config/BootError.ts"

/** Returns the host of a database, without the credentials of its URL. */
export const databaseHost = (url: string): string =>
  URL.canParse(url) ? new URL(url).host : "an address that is no URL"

/** Returns the message of the server or the system that says why a database cannot be used. */
export const databaseFailure = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  const inner = SqlError.isSqlError(failure) ? failure.reason.cause : failure
  const innermost = Predicate.hasProperty(inner, "cause") && inner.cause instanceof Error ? inner.cause : inner
  return innermost instanceof Error ? innermost.message : String(innermost)
}

/** Returns the error of a database that cannot be used at boot, without the password of the URL. */
export const databaseUnreachable = (
  url: Redacted.Redacted,
  cause: Cause.Cause<unknown>,
  variable = "DATABASE_URL"
): BootError =>
  new BootError({
    message: `Cannot use PostgreSQL at ${databaseHost(Redacted.value(url))} (${databaseFailure(cause)}): check ${variable}.`
  })

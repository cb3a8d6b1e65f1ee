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
): BootError => {
  const host = databaseHost(Redacted.value(url))
  const failure = databaseFailure(cause)
  return new BootError({
    message: failure.includes("unsupported startup parameter")
      ? `The pooler at ${host} (${variable}) refuses what a session sets: services need DATABASE_POOLER, and migrations a URL of PostgreSQL itself in MIGRATIONS_URL (pnpm migrate).`
      : `Cannot use PostgreSQL at ${host} (${failure}): check ${variable}.`
  })
}

import { Cause, Predicate, Redacted } from "effect"
import { SqlError } from "effect/sql"
import { BootError } from "../config/BootError.ts"

const address = (url: string): string => (URL.canParse(url) ? new URL(url).host : "an address that is no URL")

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  const inner = SqlError.isSqlError(failure) ? failure.reason.cause : failure
  const innermost = Predicate.hasProperty(inner, "cause") && inner.cause instanceof Error ? inner.cause : inner
  return innermost instanceof Error ? innermost.message : String(innermost)
}

/** A database that cannot be used at boot, as one sentence. The password of the URL is not in it. */
export const databaseUnreachable = (url: Redacted.Redacted, cause: Cause.Cause<unknown>): BootError =>
  new BootError({
    message: `Cannot use PostgreSQL at ${address(Redacted.value(url))} (${reasonOf(cause)}): check DATABASE_URL.`
  })

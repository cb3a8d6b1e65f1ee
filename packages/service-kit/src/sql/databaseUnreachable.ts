import { type Cause, Redacted } from "effect"
import { BootError } from "../config/BootError.ts"
import { databaseFailure, databaseHost } from "./databaseFailure.ts"

/** A database that cannot be used at boot, as one sentence. The password of the URL is not in it. */
export const databaseUnreachable = (url: Redacted.Redacted, cause: Cause.Cause<unknown>): BootError =>
  new BootError({
    message: `Cannot use PostgreSQL at ${databaseHost(Redacted.value(url))} (${databaseFailure(cause)}): check DATABASE_URL.`
  })

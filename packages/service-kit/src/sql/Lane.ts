import { Context, Effect } from "effect"

/** The connections on which a statement or a transaction begins. */
export const Lane = Context.Reference<"requests" | "slowReads" | "background" | "jobs">("@care/service-kit/sql/Lane", {
  defaultValue: () => "requests"
})

/**
 * Runs work for which no caller waits (events, clean-ups) on the background connections, so that it never delays requests. A transaction
 * stays on its connection.
 */
export const inBackground = Effect.provideService(Lane, "background")

/** Runs jobs on all background connections but one, so that jobs never delay other background work, such as webhooks. */
export const asJob = Effect.provideService(Lane, "jobs")

/**
 * Runs slow reads of callers (lists of operators, audit queries) on a few of the request connections, so that they delay neither other
 * requests nor background work.
 */
export const asSlowRead = Effect.provideService(Lane, "slowReads")

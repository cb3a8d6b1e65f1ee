import { Context, Effect } from "effect"

/** Whose connections a statement or a transaction begins on. */
export const Lane = Context.Reference<"requests" | "slowReads" | "background" | "jobs">("@care/service-kit/sql/Lane", {
  defaultValue: () => "requests"
})

/**
 * Runs work that nobody waits for (events, clean-ups) on the connections of the background, so that however slow it is, requests
 * find theirs free. A transaction stays on the connection that it began on.
 */
export const inBackground = Effect.provideService(Lane, "background")

/**
 * Runs jobs in the background, on all of its connections but one: however many there are, other work of the background, such as
 * telling partners of events, has only itself to wait for.
 */
export const asJob = Effect.provideService(Lane, "jobs")

/**
 * Runs what a caller reads and may take long (lists of operators, questions about the audit) on a few of the connections of requests, which it
 * waits for: neither other requests nor the work of the background wait for it.
 */
export const asSlowRead = Effect.provideService(Lane, "slowReads")

import { Context, Effect } from "effect"

/** The connections on which a statement or a transaction begins. */
export const Lane = Context.Reference<"requests" | "slowReads" | "background" | "jobs">("@care/service-kit/sql/Lane", {
  defaultValue: () => "requests"
})

/** Runs work for which no caller waits on the background connections. A transaction stays on its connection. */
export const inBackground = Effect.provideService(Lane, "background")

/** Runs jobs on all background connections but one, so that jobs never delay other background work, such as webhooks. */
export const asJob = Effect.provideService(Lane, "jobs")

/** Runs slow reads of callers, such as lists of operators, on a few of the request connections. */
export const asSlowRead = Effect.provideService(Lane, "slowReads")

/** Whether slow reads may come from a standby (`withStandby`). */
export const MayReadStandby = Context.Reference<boolean>("@care/service-kit/sql/MayReadStandby", {
  defaultValue: () => false
})

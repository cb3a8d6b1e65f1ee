import { Context, Effect } from "effect"

/** Whether what runs is work that nobody waits for, or that may take long: its statements have connections of their own. */
export const Background = Context.Reference<boolean>("@care/service-kit/sql/Background", { defaultValue: () => false })

/**
 * Runs work whose statements may be slow (jobs, clean-ups, lists of operators) on the connections of the background, so
 * that however slow they are, requests find theirs free. A transaction stays on the connection that it began on.
 */
export const inBackground = Effect.provideService(Background, true)

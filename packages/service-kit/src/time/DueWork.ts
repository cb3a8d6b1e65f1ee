import type { OrganizationId } from "@care/domain/ids"
import { Context, type Effect } from "effect"

/**
 * Background work of a service, as a move of an organization's clock sees it. Its times are the machine's: when the clock moves, they
 * become earlier by as much.
 */
export interface DueWork {
  /** Returns whether work of an organization is under way, and in how many milliseconds the next is due (null: none). */
  readonly look: (
    organizationId: OrganizationId
  ) => Effect.Effect<{ readonly isUnderWay: boolean; readonly dueInMillis: number | null }>
  /** Makes all that is not due yet due earlier, and its failures older, in the caller's transaction. What is due keeps its place. */
  readonly bringForward: (organizationId: OrganizationId, millis: number) => Effect.Effect<void>
  /** Has this process look for due work. */
  readonly wake: Effect.Effect<void>
}

/** The work of a service besides its jobs that waits for the clock of its organization. */
export const OtherDueWork = Context.Reference<ReadonlyArray<DueWork>>("@care/service-kit/time/OtherDueWork", {
  defaultValue: () => []
})

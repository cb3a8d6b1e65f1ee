import type { OrganizationId } from "@care/domain/ids"
import { Clock, Context, DateTime, Effect } from "effect"

/** A sandbox organization, how far its clock is ahead of the machine's, and how often it was reset when the work for it began. */
export interface Sandbox {
  readonly organizationId: OrganizationId
  readonly aheadMillis: number
  readonly resets: number
}

/** The sandbox organization for which a fiber works. Undefined for live organizations. */
export const TestOrganization = Context.Reference<Sandbox | undefined>("@care/service-kit/time/TestOrganization", {
  defaultValue: () => undefined
})

/**
 * The present in milliseconds, as rules see it: the machine's time, or for a sandbox organization the time of its clock. What measures,
 * locks, caches or signs takes the machine's time from Effect's `Clock`.
 */
export const nowMillis: Effect.Effect<number> = Effect.withFiber((fiber) =>
  Effect.succeed(
    fiber.getRef(Clock.Clock).currentTimeMillisUnsafe() + (fiber.getRef(TestOrganization)?.aheadMillis ?? 0)
  )
)

/** The present, as rules see it. */
export const now: Effect.Effect<DateTime.Utc> = Effect.map(nowMillis, DateTime.makeUnsafe)

/** Makes the function that shows a time of background work, which is stored in the machine's time, by the clock of the organization. */
export const shownTime: Effect.Effect<(time: Date | null) => Date | null> = Effect.map(
  TestOrganization,
  (test) => (time) => (time === null ? null : new Date(time.getTime() + (test?.aheadMillis ?? 0)))
)

/** The present as a `Date`, as rules see it. */
export const nowAsDate: Effect.Effect<Date> = Effect.map(nowMillis, (millis) => new Date(millis))

import { afterCommit } from "@care/service-kit"
import { Context, Effect, Latch, Layer } from "effect"

/** Wakes up the workers that wait for new activity of cases, so that they need not wait for their next poll. */
export class ActivityWakeUp extends Context.Service<
  ActivityWakeUp,
  {
    /** Wakes them up after the commit of the current transaction. */
    readonly tell: Effect.Effect<void>
    /** Waits for a wake-up since the last wait. */
    readonly next: Effect.Effect<void>
  }
>()("@care/cases/activity/ActivityWakeUp") {
  static readonly layer = Layer.sync(ActivityWakeUp, () => {
    const latch = Latch.makeUnsafe(true)
    return ActivityWakeUp.of({
      tell: afterCommit(Effect.sync(() => latch.openUnsafe())),
      next: Effect.andThen(
        latch.await,
        Effect.sync(() => latch.closeUnsafe())
      )
    })
  })
}

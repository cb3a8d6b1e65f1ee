import { afterCommit } from "@care/service-kit"
import { Context, Effect, Latch, Layer } from "effect"

/** The news that something happened to cases: whoever tells others of it need not wait for their next look. */
export class ActivityWakeUp extends Context.Service<
  ActivityWakeUp,
  {
    /** Says it when the transaction under way has committed. */
    readonly tell: Effect.Effect<void>
    /** Waits until it is said, or was said since the last wait. */
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

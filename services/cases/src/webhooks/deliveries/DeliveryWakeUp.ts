import { afterCommit } from "@care/service-kit"
import { Context, Effect, Latch, Layer } from "effect"

/** The news that there may be something to send: whoever sends need not wait for their next look. */
export class DeliveryWakeUp extends Context.Service<
  DeliveryWakeUp,
  {
    /** Says it when the transaction under way has committed. */
    readonly tell: Effect.Effect<void>
    /** Waits until it is said, or was said since the last wait. */
    readonly next: Effect.Effect<void>
  }
>()("@care/cases/webhooks/DeliveryWakeUp") {
  static readonly layer = Layer.sync(DeliveryWakeUp, () => {
    const latch = Latch.makeUnsafe(true)
    return DeliveryWakeUp.of({
      tell: afterCommit(Effect.sync(() => latch.openUnsafe())),
      next: Effect.andThen(
        latch.await,
        Effect.sync(() => latch.closeUnsafe())
      )
    })
  })
}

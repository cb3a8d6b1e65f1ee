import { afterCommit } from "@care/service-kit"
import { Context, Effect, Latch, Layer } from "effect"

/** Wakes up the dispatcher, so that new deliveries need not wait for its next poll. */
export class DeliveryWakeUp extends Context.Service<
  DeliveryWakeUp,
  {
    /** Wakes it up after the commit of the current transaction. */
    readonly tell: Effect.Effect<void>
    /** Waits for a wake-up since the last wait. */
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

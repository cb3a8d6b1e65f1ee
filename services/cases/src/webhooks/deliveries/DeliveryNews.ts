import { afterCommit } from "@care/service-kit"
import { Context, Effect, Latch, Layer } from "effect"

/** The news that there may be something to send: whoever sends need not wait for their next look. */
export class DeliveryNews extends Context.Service<
  DeliveryNews,
  {
    /** Says it when the transaction under way has committed. */
    readonly tell: Effect.Effect<void>
    /** Waits until it is said, or was said since the last wait. */
    readonly next: Effect.Effect<void>
  }
>()("@care/cases/webhooks/DeliveryNews") {
  static readonly layer = Layer.sync(DeliveryNews, () => {
    const latch = Latch.makeUnsafe(true)
    return DeliveryNews.of({
      tell: afterCommit(Effect.sync(() => latch.openUnsafe())),
      next: Effect.andThen(
        latch.await,
        Effect.sync(() => latch.closeUnsafe())
      )
    })
  })
}

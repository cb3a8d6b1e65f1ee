import { Clock, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"
import { safeCause } from "../telemetry/safeCause.ts"
import { layerWorker } from "./layerWorker.ts"

/** Work that is due again and again. */
export interface ScheduledOptions<E, R> {
  readonly name: string
  readonly every: Duration.Input
  /** Does the work. A failure is tried again by the queue. Must be idempotent. */
  readonly perform: Effect.Effect<void, E, R>
}

/**
 * Does something every so often, once however many instances of the service there are: each offers the same job, whose
 * id is the period it is for, and the queue keeps the first.
 */
export const layerScheduled = <E, R>({ every, name, perform }: ScheduledOptions<E, R>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const queue = yield* PersistedQueue.make({ name, schema: Schema.Struct({ period: Schema.Number }) })
      const millis = Duration.toMillis(Duration.fromInputUnsafe(every))

      const offer = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const period = Math.floor(now / millis)
        yield* queue.offer({ period }, { id: `${name} ${period}` })
        yield* Effect.sleep((period + 1) * millis - now)
      }).pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logWarning(`${name} was not scheduled`, safeCause(cause)), Effect.sleep("10 seconds"))
        )
      )

      return Layer.merge(
        Layer.effectDiscard(Effect.forkScoped(Effect.interruptible(Effect.repeat(offer, Schedule.forever)))),
        layerWorker({ name, queue, concurrency: 1, perform: () => perform })
      )
    })
  )

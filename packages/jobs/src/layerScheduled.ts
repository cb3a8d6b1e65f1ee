import { safeCause } from "@care/service-kit"
import { Clock, Duration, Effect, Layer, Schedule, Schema } from "effect"
import * as Job from "./Job.ts"

interface ScheduledOptions<E, R> {
  readonly name: string
  readonly every: Duration.Input
  /** Does the work. It must be idempotent: the queue tries it again after a failure. */
  readonly perform: Effect.Effect<void, E, R>
}

/**
 * Runs work periodically in one instance of the service: all instances offer a job with the period as key, and the queue keeps the first. An
 * instance offers it when it starts and a period after each offer, so that not everything works when an hour begins.
 */
export const layerScheduled = <E, R>({ every, name, perform }: ScheduledOptions<E, R>) => {
  class Periods extends Job.make<Periods>()(name, {
    version: 1,
    schema: Schema.Struct({ period: Schema.Int }),
    retries: Job.upTo(10),
    concurrency: 1
  }) {}
  const millis = Duration.toMillis(Duration.fromInputUnsafe(every))

  const offerEachPeriod = Effect.gen(function* () {
    const { offer } = yield* Periods
    yield* Effect.gen(function* () {
      const period = Math.floor((yield* Clock.currentTimeMillis) / millis)
      yield* offer({ period }, { key: `${period}` })
      yield* Effect.sleep(millis)
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logWarning(`${name} was not scheduled`, safeCause(cause)), Effect.sleep("10 seconds"))
      ),
      Effect.repeat(Schedule.forever)
    )
  })

  return Layer.merge(
    Layer.effectDiscard(Effect.forkScoped(Effect.interruptible(offerEachPeriod))),
    Periods.worker(Effect.succeed(() => perform))
  ).pipe(Layer.provide(Periods.layer))
}

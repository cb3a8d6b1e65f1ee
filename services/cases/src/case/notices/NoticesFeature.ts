import { inBackground, safeCause } from "@care/service-kit"
import { Effect, Layer, Schedule } from "effect"
import { CaseNotices } from "./CaseNotices.ts"

/** Looks every second for what people are to be told of, and while there is something at once again. */
export const NoticesFeature = Layer.effectDiscard(
  Effect.gen(function* () {
    const { tellNext } = yield* CaseNotices
    const look = tellNext.pipe(
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("People are told of their cases later", safeCause(cause)), false)
      ),
      Effect.flatMap((hasMore) => (hasMore ? Effect.void : Effect.sleep("1 second"))),
      inBackground,
      Effect.withTracerEnabled(false)
    )
    yield* Effect.repeat(look, Schedule.forever).pipe(Effect.interruptible, Effect.forkScoped)
  })
).pipe(Layer.provide(CaseNotices.layer))

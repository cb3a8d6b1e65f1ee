import { inBackground, safeCause } from "@care/service-kit"
import { Effect, Layer, Schedule } from "effect"
import { CaseNotices } from "./CaseNotices.ts"

/** Sends notices, every second and without a pause while there are more. */
export const CaseNoticesFeature = Layer.effectDiscard(
  Effect.gen(function* () {
    const { sendNext } = yield* CaseNotices
    const sendOrWait = sendNext.pipe(
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("Notices of cases are sent later", safeCause(cause)), false)
      ),
      Effect.flatMap((hasMore) => (hasMore ? Effect.void : Effect.sleep("1 second"))),
      inBackground,
      Effect.withTracerEnabled(false)
    )
    yield* Effect.repeat(sendOrWait, Schedule.forever).pipe(Effect.interruptible, Effect.forkScoped)
  })
).pipe(Layer.provide(CaseNotices.layer))

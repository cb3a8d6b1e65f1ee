import { ownReconciliationApi, type ReconciledService } from "@care/domain/reconciliation"
import { layerScheduled } from "@care/jobs"
import { Data, Duration, Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makeSweep, type SweepSource } from "./makeSweep.ts"

// The caller waits 12 seconds. A page that has begun may take 7 of them.
const onRequest = Duration.seconds(4)

// A job has two minutes. A page that has begun may take 37 seconds of them.
const hourly = Duration.seconds(75)

/** Some sources were not compared with the provider, so the job is tried again. */
class SweepFailed extends Data.TaggedError("SweepFailed")<{ readonly sources: ReadonlyArray<string> }> {
  override get message() {
    return `Not compared with the provider: ${this.sources.join(", ")}`
  }
}

/** Compares a service with its provider every hour and when the gateway requests it. */
export const layerReconciliation = <E, R>(
  service: ReconciledService,
  sources: Effect.Effect<ReadonlyArray<SweepSource>, E, R>
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const sweep = yield* makeSweep(yield* sources)
      const api = ownReconciliationApi(service)
      const handlers = HttpApiBuilder.group(api, "ownReconciliation", (handlers) =>
        handlers.handleAll({ sweep: () => sweep(onRequest) })
      )
      const perform = Effect.gen(function* () {
        const swept = yield* sweep(hourly)
        const failed = swept.sources.filter(({ state }) => state === "FAILED").map(({ name }) => name)
        if (failed.length > 0) return yield* new SweepFailed({ sources: failed })
      })
      return Layer.merge(
        HttpApiBuilder.layer(api).pipe(Layer.provide(handlers)),
        layerScheduled({ name: "reconciliation", every: "1 hour", perform })
      )
    })
  )

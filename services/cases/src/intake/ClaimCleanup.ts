import { layerScheduled } from "@care/service-kit"
import { DateTime, Effect, Layer } from "effect"
import { IntakeRepo } from "./IntakeRepo.ts"

const batch = 1000

/** Removes the idempotency keys of cases that are older than 30 days. */
export const removeOldClaims = Effect.gen(function* () {
  const repo = yield* IntakeRepo
  const now = yield* DateTime.nowAsDate
  yield* repo.removeOldClaims(now, batch).pipe(Effect.repeat({ while: (removed) => removed === batch }))
})

/** Does so every hour. */
export const layerClaimCleanup = Layer.unwrap(
  Effect.map(IntakeRepo, (repo) =>
    layerScheduled({
      name: "claim-cleanup",
      every: "1 hour",
      perform: Effect.provideService(removeOldClaims, IntakeRepo, repo)
    })
  )
).pipe(Layer.provide(IntakeRepo.layer))

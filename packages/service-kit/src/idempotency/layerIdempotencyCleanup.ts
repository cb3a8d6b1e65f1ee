import { Effect, Layer } from "effect"
import { layerScheduled } from "../jobs/layerScheduled.ts"
import { IdempotencyKeysRepo } from "./IdempotencyKeysRepo.ts"

const batch = 1000

/** Removes the idempotency keys that are older than 30 days. */
export const removeOldKeys = Effect.flatMap(IdempotencyKeysRepo, ({ removeOld }) =>
  Effect.asVoid(Effect.repeat(removeOld(batch), { while: (removed) => removed === batch }))
)

/** Does so every hour. */
export const layerIdempotencyCleanup = Layer.unwrap(
  Effect.map(IdempotencyKeysRepo, (repo) =>
    layerScheduled({
      name: "idempotency-cleanup",
      every: "1 hour",
      perform: Effect.provideService(removeOldKeys, IdempotencyKeysRepo, repo)
    })
  )
).pipe(Layer.provide(IdempotencyKeysRepo.layer))

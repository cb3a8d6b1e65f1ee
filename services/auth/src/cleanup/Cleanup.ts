import { layerScheduled } from "@care/service-kit"
import { Context, DateTime, type Duration, Effect, Layer } from "effect"
import { CleanupRepo } from "./CleanupRepo.ts"

const batch = 1000

/** Removes what nobody needs any more: old codes and requests for them, refresh tokens and caught messages. */
export class Cleanup extends Context.Service<Cleanup, { readonly run: Effect.Effect<void> }>()(
  "@care/auth/cleanup/Cleanup"
) {
  static readonly layer = Layer.effect(
    Cleanup,
    Effect.gen(function* () {
      const repo = yield* CleanupRepo
      const all = (remove: (limit: number) => Effect.Effect<number>) =>
        remove(batch).pipe(Effect.repeat({ while: (removed) => removed === batch }))

      return Cleanup.of({
        run: Effect.gen(function* () {
          const now = yield* DateTime.now
          const ago = (age: Duration.Input) => DateTime.toDateUtc(DateTime.subtractDuration(now, age))
          // Wrong attempts and codes of the last day count against the caps.
          yield* all((limit) => repo.removeCodes(ago("1 day"), limit))
          yield* all((limit) => repo.removeCodeRequests(ago("1 day"), limit))
          // Kept for a while, so that a late refresh is told that its token has expired.
          yield* all((limit) => repo.removeFamilies(ago("30 days"), limit))
          yield* all((limit) => repo.removeMessages(ago("7 days"), limit))
        }).pipe(Effect.withSpan("Cleanup.run"))
      })
    })
  ).pipe(Layer.provide(CleanupRepo.layer))

  /** Runs it every hour, once however many instances there are. */
  static readonly layerHourly = Layer.unwrap(
    Effect.map(Cleanup, ({ run }) => layerScheduled({ name: "cleanup", every: "1 hour", perform: run }))
  )
}

import { Clock, Effect, Schedule } from "effect"
import { inBackground } from "./Lane.ts"

const pollMillis = 1000

/** How old what `makeRecent` returns may be. */
export const recentMillis = 2000

/**
 * Reads something every second, and returns the effect of what was read within the last two seconds. If reading takes longer, the effect
 * reads it itself: what was committed two seconds ago is always in it.
 */
export const makeRecent = Effect.fnUntraced(function* <A>(read: Effect.Effect<A>) {
  let recent: { readonly value: A; readonly until: number } | undefined
  const refresh = Effect.gen(function* () {
    const until = (yield* Clock.currentTimeMillis) + recentMillis
    const value = yield* read
    recent = { value, until }
    return value
  })
  yield* Effect.exit(refresh).pipe(
    inBackground,
    Effect.withTracerEnabled(false),
    Effect.repeat(Schedule.spaced(pollMillis)),
    Effect.interruptible,
    Effect.forkScoped
  )
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    recent !== undefined && now < recent.until ? Effect.succeed(recent.value) : refresh
  )
})

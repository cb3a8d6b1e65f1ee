import { Effect } from "effect"

/** Looks again and again, for what processes do, until it is so; fails after 20 seconds. */
export const until = (holds: () => boolean) =>
  Effect.sync(holds).pipe(
    Effect.tap(() => Effect.sleep("25 millis")),
    Effect.repeat({ until: (isTrue) => isTrue }),
    Effect.timeout("20 seconds")
  )

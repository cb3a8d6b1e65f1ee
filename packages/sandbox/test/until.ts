import { Effect } from "effect"

/** Polls a condition of other processes; fails after 20 seconds. */
export const until = (holds: () => boolean) =>
  Effect.sync(holds).pipe(
    Effect.tap(() => Effect.sleep("25 millis")),
    Effect.repeat({ until: (isTrue) => isTrue }),
    Effect.timeout("20 seconds")
  )

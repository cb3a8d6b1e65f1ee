import { Effect } from "effect"
import { type Piece, switchOff } from "../fast/pieces.ts"

/** Runs an effect while an optimization is switched off. */
export const plainly = <A, E, R>(piece: Piece, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => switchOff([piece])),
    () => work,
    () => Effect.sync(() => switchOff([]))
  )

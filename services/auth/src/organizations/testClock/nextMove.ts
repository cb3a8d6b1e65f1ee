import type { OwnTestClock } from "@care/domain/testClocks"

/** What a move of a clock does next: wait for work under way, look once more, set the clock, or end. */
export type NextMove =
  | { readonly _tag: "Wait" | "LookAgain" | "End" }
  | { readonly _tag: "Set"; readonly aheadMillis: number }

/**
 * Returns what to do by the clocks of all services. One look may miss work that a service hands to another meanwhile, so that all have to be
 * quiet twice (`wasQuiet`). The clock goes on in whole seconds to what is due next, so that what is due together is done together, and
 * never beyond the target. A service whose clock is behind the others', because a move was broken off, follows first.
 */
export const nextMove = (
  clocks: ReadonlyArray<OwnTestClock>,
  targetAheadMillis: number,
  wasQuiet: boolean
): NextMove => {
  const aheadMillis = Math.max(...clocks.map((clock) => clock.aheadMillis))
  if (clocks.some((clock) => clock.aheadMillis < aheadMillis)) return { _tag: "Set", aheadMillis }
  if (clocks.some(({ isBusy }) => isBusy)) return { _tag: "Wait" }
  if (!wasQuiet) return { _tag: "LookAgain" }
  if (aheadMillis >= targetAheadMillis) return { _tag: "End" }
  const due = clocks.flatMap(({ dueInMillis }) =>
    dueInMillis === null ? [] : aheadMillis + Math.ceil(dueInMillis / 1000) * 1000
  )
  return { _tag: "Set", aheadMillis: Math.min(targetAheadMillis, ...due) }
}

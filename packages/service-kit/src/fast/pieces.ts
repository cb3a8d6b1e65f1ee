/** The optimizations that can be switched off. Each has a plain alternative with the same result (docs/performance.md has their worth). */
export const pieces = ["appending", "batching", "compiling", "decoding", "naming", "writing"] as const
export type Piece = (typeof pieces)[number]

const switchedOff = new Set<Piece>()

/** Switches pieces off in this process, and all others on. For tests and benchmarks: no setting does this. */
export const switchOff = (off: ReadonlyArray<Piece>): void => {
  switchedOff.clear()
  for (const piece of off) switchedOff.add(piece)
}

/** Returns whether a piece is switched on. */
export const isFast = (piece: Piece): boolean => !switchedOff.has(piece)

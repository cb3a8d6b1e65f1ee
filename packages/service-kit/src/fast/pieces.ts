/** What exists only for speed. Beside each is a plain way that answers the same (docs/performance.md has what each is worth). */
export const pieces = ["appending", "batching", "compiling", "decoding", "naming", "writing"] as const
export type Piece = (typeof pieces)[number]

const off = new Set<Piece>()

/** Switches pieces off in this process, and all others on. For tests and benchmarks: no setting of a service leads here. */
export const switchOff = (some: ReadonlyArray<Piece>): void => {
  off.clear()
  for (const piece of some) off.add(piece)
}

/** Whether a piece is switched on. */
export const isFast = (piece: Piece): boolean => !off.has(piece)

/** How reads are answered: recorded; not recorded, but answered in the same batches; or at once, without any audit. */
export const waysToRead = ["recorded", "not recorded", "answered at once"] as const
export type WayToRead = (typeof waysToRead)[number]

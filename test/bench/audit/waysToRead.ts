/**
 * What happens to a read before it is answered: it is recorded; or not, but answered together with those beside it as if it were;
 * or neither, as before there was an audit.
 */
export const waysToRead = ["recorded", "not recorded", "answered at once"] as const
export type WayToRead = (typeof waysToRead)[number]

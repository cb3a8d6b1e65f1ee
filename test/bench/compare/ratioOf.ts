import { quantile } from "../quantile.ts"
import type { Round } from "./measure.ts"

/** How much more one of two measured than the other: in the middle of the rounds, and in a quarter of them at most and at least. */
export interface Ratio {
  readonly lower: number
  readonly middle: number
  readonly upper: number
}

/** Compares two in each round by itself, since a machine does more in one round than in another. */
export const ratioOf = (
  measured: ReadonlyArray<Round>,
  others: ReadonlyArray<Round>,
  read: (round: Round) => number
): Ratio => {
  const ratios = measured.flatMap((round, index) => {
    const other = others[index]
    return other === undefined ? [] : [read(round) / read(other)]
  })
  return { lower: quantile(ratios, 0.25), middle: quantile(ratios, 0.5), upper: quantile(ratios, 0.75) }
}

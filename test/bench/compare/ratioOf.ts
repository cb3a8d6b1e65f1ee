import { quantile } from "../quantile.ts"
import type { Round } from "./measure.ts"

/** The ratio of two measurements: the median of the rounds, and their quartiles. */
export interface Ratio {
  readonly lower: number
  readonly middle: number
  readonly upper: number
}

/** Computes the ratio of two measurements in each round separately, because the speed of a machine varies between rounds. */
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

import { quantile } from "./quantile.ts"

/** The median of some values, the upper of the two in the middle. */
export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

import { quantile } from "./quantile.ts"

/** Returns the median of values, the upper one of the two in the middle. */
export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

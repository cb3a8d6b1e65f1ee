import { Schema } from "effect"

/**
 * How many entries of each of its lists a case is shown with. A thousand usual ones of each are an answer of some 5 MB, and
 * more than any case has.
 */
export const mostListed = 1000

/** A list of a case as it is shown with the case: its newest entries, oldest first. */
export const newestOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Array(item).check(Schema.isMaxLength(mostListed, { description: `The newest ${mostListed}, oldest first.` }))

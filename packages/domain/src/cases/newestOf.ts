import { Schema } from "effect"

/**
 * The most entries of each list of a case detail. A thousand average entries of each are an answer of 5 MB, and more
 * than any case has.
 */
export const maxListed = 1000

/** A list of the case detail: its newest entries, oldest first. */
export const newestOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Array(item).check(Schema.isMaxLength(maxListed, { description: `The newest ${maxListed}, oldest first.` }))

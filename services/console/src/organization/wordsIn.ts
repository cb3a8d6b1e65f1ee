/** Returns the words of a list that was typed, with spaces or commas between them. */
export const wordsIn = (typed: string): ReadonlyArray<string> => typed.split(/[\s,;]+/u).filter((word) => word !== "")

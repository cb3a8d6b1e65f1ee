/** Returns what was typed into a field that may stay empty: undefined when it did. */
export const given = (typed: string): string | undefined => (typed.trim() === "" ? undefined : typed.trim())

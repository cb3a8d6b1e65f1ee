const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

// By UTF-16 code units, so that JSON stays the same JSON.
const escaped = (character: string): string => character.split("").map(escapedUnit).join("")

/**
 * Escapes control and format characters, and line and paragraph separators, as in `\u001b`. A terminal would act on them or hide them,
 * and names and reasons come from people who may attack the operator's terminal. Line breaks stay.
 */
export const printable = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)

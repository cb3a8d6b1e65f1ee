const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

// By units of UTF-16, so that what is JSON stays the same JSON.
const escaped = (character: string): string => character.split("").map(escapedUnit).join("")

/**
 * A text as a terminal may show it: what it would act on, and what nobody would see (controls, format characters, separators of
 * lines and paragraphs) becomes `\u001b` and the like. Names and reasons come from people, who may mean the operator's terminal.
 * Line breaks stay.
 */
export const printable = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)

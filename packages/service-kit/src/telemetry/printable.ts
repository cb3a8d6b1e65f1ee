const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * A text as a terminal may show it: what it would act on (escapes, what moves the cursor or turns the direction of writing)
 * becomes `\u001b` and the like. Names and reasons come from people, who may mean the operator's terminal. Line breaks stay.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escaped)

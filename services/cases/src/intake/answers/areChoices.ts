import { Option, Schema } from "effect"

const decodeChoices = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.String)))

// Removes white space around separators.
const compact = (text: string): string =>
  text
    .split(/([,;])/)
    .map((part) => part.trim())
    .join("")

// More than real answers need, and few enough for a body full of hostile texts.
const maxStarts = 250
const maxCompared = 100_000

/**
 * Returns whether a text is a list of options with separators between them. Options may contain separators, so every length of an option
 * is tried at each start, and each end is another start. A text with too many ways to read it is refused.
 */
const isSeparated = (text: string, options: ReadonlySet<string>): boolean => {
  const lengths = new Set(Array.from(options, (option) => option.length))
  const starts = new Set([0])
  let comparedLength = 0
  for (const start of starts) {
    for (const length of lengths) {
      const end = start + length
      const separator = text[end]
      const isEnd = end === text.length
      if (!isEnd && separator !== "," && separator !== ";") continue
      comparedLength += length
      if (comparedLength > maxCompared) return false
      if (!options.has(text.slice(start, end))) continue
      if (isEnd) return true
      if (starts.size < maxStarts) starts.add(end + 1)
    }
  }
  return false
}

/** Returns whether a text is one or several of the options: as a JSON array, or separated by commas or semicolons. */
export const areChoices = (text: string, options: ReadonlyArray<string>): boolean => {
  const optionSet = new Set(options)
  if (optionSet.has(text)) return true
  const parsed = decodeChoices(text)
  if (Option.isSome(parsed)) return parsed.value.every((choice) => optionSet.has(choice))
  return isSeparated(compact(text), new Set(options.map(compact).filter((option) => option !== "")))
}

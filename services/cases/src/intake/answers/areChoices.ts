import { Option, Schema } from "effect"

const decodeChoices = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.String)))

// Without white space around separators, which says nothing.
const compact = (text: string): string =>
  text
    .split(/([,;])/)
    .map((part) => part.trim())
    .join("")

// More than honest choices need, and little enough that a body full of such texts is soon looked through.
const mostPlaces = 250
const mostCompared = 100_000

/**
 * True when a text is options with separators between them. Options may have separators of their own: at each place every
 * length of an option is tried, and what can follow it is another place. A text that takes too long to read is none.
 */
const isSeparated = (text: string, options: ReadonlySet<string>): boolean => {
  const lengths = new Set(Array.from(options, (option) => option.length))
  const places = new Set([0])
  let compared = 0
  for (const place of places) {
    for (const length of lengths) {
      const end = place + length
      const follows = text[end]
      const isEnd = end === text.length
      if (!isEnd && follows !== "," && follows !== ";") continue
      compared += length
      if (compared > mostCompared) return false
      if (!options.has(text.slice(place, end))) continue
      if (isEnd) return true
      if (places.size < mostPlaces) places.add(end + 1)
    }
  }
  return false
}

/** True for a text that names one of the options, or several: as a JSON array, or with commas or semicolons between them. */
export const areChoices = (text: string, options: ReadonlyArray<string>): boolean => {
  const possible = new Set(options)
  if (possible.has(text)) return true
  const listed = decodeChoices(text)
  if (Option.isSome(listed)) return listed.value.every((choice) => possible.has(choice))
  return isSeparated(compact(text), new Set(options.map(compact).filter((option) => option !== "")))
}

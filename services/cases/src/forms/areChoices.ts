import { Option, Schema } from "effect"

const decodeChoices = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.String)))

const between = /\s*[,;]\s*/y

// Far more places than honest choices begin at; a text that has more of them is looked at no further.
const mostPlaces = 1000

// Options may have commas of their own: at each place every option is tried, and what can follow it is another place.
const isSeparated = (text: string, options: ReadonlyArray<string>): boolean => {
  const places = new Set([0])
  for (const place of places) {
    if (places.size > mostPlaces) return false
    for (const option of options) {
      if (option === "" || !text.startsWith(option, place)) continue
      between.lastIndex = place + option.length
      if (between.lastIndex === text.length) return true
      if (between.test(text)) places.add(between.lastIndex)
    }
  }
  return false
}

/** True for a text that names one of the options, or several: as a JSON array, or with commas or semicolons between them. */
export const areChoices = (text: string, options: ReadonlyArray<string>): boolean => {
  const possible = new Set(options)
  if (possible.has(text)) return true
  const listed = decodeChoices(text)
  return Option.isSome(listed)
    ? listed.value.every((choice) => possible.has(choice))
    : isSeparated(text.trim(), options)
}

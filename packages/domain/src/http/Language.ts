import { Schema } from "effect"
import { iso6392 } from "iso-639-2"
import { lengths } from "./bounds.ts"
import { atMost, optionalListUpTo } from "./listUpTo.ts"
import { textUpTo } from "./Text.ts"

const codes = new Set(
  iso6392.flatMap(({ iso6391, iso6392B, iso6392T }) =>
    [iso6391, iso6392B, iso6392T].filter((code) => code !== undefined)
  )
)

export const languageRefusal = "must be an ISO language code"

/** Whether a text is an ISO 639 code of two or three letters, with or without region and script (`es`, `haw`, `en-US`). */
export const isLanguage = (text: string): boolean =>
  /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text) && codes.has(text.split("-", 1).join("").toLowerCase())

export const languagesDescription =
  "ISO 639 codes of two or three letters, optionally with a region: `es`, `haw`, `en-US`"

export const Language = textUpTo(lengths.code, { refusal: languageRefusal }).check(
  Schema.makeFilter((text: string) => (isLanguage(text) ? undefined : languageRefusal))
)

export const languagesOf = (language: Schema.Codec<string>) => optionalListUpTo(language, atMost("languages"))

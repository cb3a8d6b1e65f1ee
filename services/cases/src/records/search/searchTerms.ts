import { WrittenPhoneNumber } from "@care/domain/http"
import { Option, Schema } from "effect"

/** What a typed text may be. Undefined ones it cannot be. */
export interface SearchTerms {
  /** The id of a case, an order, a payment or a patient. */
  readonly id: string | undefined
  readonly shortId: string | undefined
  readonly pharmacyOrderId: string
  readonly email: string | undefined
  readonly phoneNumbers: ReadonlyArray<string>
  /** The beginning of a name, in each form that `searched_name` of the database may make of the stored one. */
  readonly names: ReadonlyArray<string>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
// Crockford's base 32, as short ids are made.
const shortId = /^#?([0-9a-hjkmnp-tv-z]{8})$/i
const readPhoneNumber = Schema.decodeUnknownOption(WrittenPhoneNumber)

const lowerInAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

// Accents are removed as `searched_name` does. Where the database knows no letters but those of ASCII, it leaves the case of others as it is:
// mostly the first of a word is a capital.
const formsOfName = (name: string): ReadonlyArray<string> => {
  const text = name.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "")
  const small = text.toLowerCase()
  const capitalized = small.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  return [...new Set([small, text, capitalized].map(lowerInAscii))]
}

/** Returns what a typed text may be. A number without its plus is read as one in E.164, and as one of the USA. */
export const searchTerms = (text: string): SearchTerms => ({
  id: uuid.test(text) ? text.toLowerCase() : undefined,
  shortId: shortId.exec(text)?.[1]?.toUpperCase(),
  pharmacyOrderId: text,
  email: text.includes("@") ? text.toLowerCase() : undefined,
  phoneNumbers: [
    ...new Set([
      ...(/^\d{8,15}$/.test(text) ? [`+${text}`] : []),
      ...(/^[+(\d][\d\s().-]{5,}$/.test(text) ? Option.toArray(readPhoneNumber(text)) : [])
    ])
  ],
  names: /\p{L}/u.test(text) ? formsOfName(text.replaceAll(/[\s,]+/g, " ")) : []
})

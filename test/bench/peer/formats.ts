import { iso6392 } from "iso-639-2"
import { parsePhoneNumberFromString } from "libphonenumber-js"

const languages = new Set(iso6392.flatMap(({ iso6391, iso6392B, iso6392T }) => [iso6391, iso6392B, iso6392T]))

/** Text formats that JSON Schema does not have, checked as in the suite's contract. */
export const formats = {
  storable: (text: string) => !text.includes("\u0000") && text.isWellFormed(),
  contactEmail: (text: string) => /^\s*[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+\s*$/.test(text) && text.trim().length <= 254,
  phoneNumber: (text: string) => {
    const parsed = text.startsWith("+") ? parsePhoneNumberFromString(text) : undefined
    return parsed?.number === text && parsed.isPossible()
  }
}

/** Returns whether a text is an ISO 639 code, with or without region and script. */
export const isLanguage = (text: string): boolean =>
  /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text) && languages.has(text.split("-", 1).join("").toLowerCase())

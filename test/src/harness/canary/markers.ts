/** Marks texts about a patient's health, which must not appear anywhere unsealed. */
export const healthMarker = "kanarienvogel"

/** Marks texts about an organization: its name, its catalogue, its staff. */
export const organizationMarker = "leuchtturm"

/** Marks values that are sent where they are refused or ignored. */
export const strayMarker = "eisvogel"

/** The identity of the marked patient, in values that nobody else has. */
export const markedPerson = {
  firstName: "Zaunkoenig",
  lastName: "Nachtigall",
  email: "rotkehlchen@example.com",
  phoneNumber: "+13102679431",
  street: "Amselweg"
}

/**
 * The part of each identity value that is searched for, because it survives any formatting. (Only seven digits of the number would appear in
 * ids and times of traces by chance.)
 */
export const personMarkers = ["zaunkoenig", "nachtigall", "rotkehlchen", "3102679431", "amselweg"]

/** Returns the encodings of a text: plain, hexadecimal, and base64 at each of the three possible offsets. */
export const encodingsOf = (text: string): ReadonlyArray<string> => {
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${" ".repeat(offset)}${text}`).toString("base64")
    return encoded.slice(offset === 0 ? 0 : 4, Math.floor(((offset + text.length) * 8) / 24) * 4)
  })
  return [text, Buffer.from(text).toString("hex"), ...base64]
}

/** Returns whether a text contains a marker in any encoding. Letter case is ignored, except in base64. */
export const containsMarker = (place: string, marker: string): boolean => {
  const lowerCase = place.toLowerCase()
  const [plain, hex, ...base64] = encodingsOf(marker)
  return (
    [plain, hex].some((encoding) => lowerCase.includes(encoding ?? marker)) ||
    base64.some((encoding) => place.includes(encoding))
  )
}

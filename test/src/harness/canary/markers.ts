/** What is told about a patient's health, and of what no place may know. */
export const health = "kanarienvogel"

/** What an organization says of itself: its name, its catalogue, its staff. */
export const own = "leuchtturm"

/** What is sent where it is refused, or means nothing. */
export const stray = "eisvogel"

/** Who a patient is, in values that nobody else has. */
export const person = {
  firstName: "Zaunkoenig",
  lastName: "Nachtigall",
  email: "rotkehlchen@example.com",
  phoneNumber: "+13102679431",
  street: "Amselweg"
}

/**
 * The part of each that is looked for: whatever an address or a number is turned into, it stays. (Seven digits of the number would be
 * in the ids and times of traces by chance.)
 */
export const names = ["zaunkoenig", "nachtigall", "rotkehlchen", "3102679431", "amselweg"]

/** A text as it may stand somewhere: as it is, in hexadecimal digits, and in base64 at each of the three places in it. */
export const formsOf = (text: string): ReadonlyArray<string> => {
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${" ".repeat(offset)}${text}`).toString("base64")
    return encoded.slice(offset === 0 ? 0 : 4, Math.floor(((offset + text.length) * 8) / 24) * 4)
  })
  return [text, Buffer.from(text).toString("hex"), ...base64]
}

/** Whether a marker stands in a text, in any of its forms and, where that means the same, in any letter case. */
export const isIn = (place: string, marker: string): boolean => {
  const folded = place.toLowerCase()
  const [plain, hex, ...base64] = formsOf(marker)
  return [plain, hex].some((form) => folded.includes(form ?? marker)) || base64.some((form) => place.includes(form))
}

/** What a query parameter says, without white space around it; undefined when it is missing or blank. */
export const givenText = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === "" ? undefined : text.trim()

/** An email in a query, in lower case. */
export const givenEmail = (text: string | undefined): string | undefined => givenText(text)?.toLowerCase()

/** A phone number in a query: a plus that was not encoded has arrived as a space, so it is put back. */
export const givenPhoneNumber = (text: string | undefined): string | undefined => {
  const digits = givenText(text)
  return digits !== undefined && /^\d+$/.test(digits) ? `+${digits}` : digits
}

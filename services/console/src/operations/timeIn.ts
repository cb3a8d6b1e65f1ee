/** Returns the time that a search parameter has in ISO 8601; undefined if it has none. */
export const timeIn = (text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}

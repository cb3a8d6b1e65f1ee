/** Returns a constant of the API in words: `WAITING_FOR_PROVIDER` is "Waiting for provider". */
export const inWords = (constant: string): string => {
  const words = constant.toLowerCase().replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

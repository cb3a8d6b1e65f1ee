/** Returns a constant of the API in words: `WAITING_FOR_PROVIDER` is "Waiting for provider". */
export const inWords = (constant: string): string => {
  const words = constant.toLowerCase().replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const numbers = new Intl.NumberFormat("en")

/** Returns a number of things in words: "1 case", "1,200 cases". */
export const counted = (count: number, thing: string): string =>
  `${numbers.format(count)} ${count === 1 ? thing : `${thing}s`}`

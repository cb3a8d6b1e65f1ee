/** Returns a price of the catalogue in words: `299.00 USD`. */
export const priceInWords = (price: string | null, currency: string | null): string =>
  price === null ? "No price" : `${price} ${currency ?? ""}`.trim()

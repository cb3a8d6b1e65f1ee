/** Returns an amount in major units of a currency, in words: `120.00 USD`. */
export const money = (amount: number, currency: string): string => {
  const code = currency.toUpperCase()
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency: code
  }).resolvedOptions()
  return `${amount.toLocaleString("en", { minimumFractionDigits: maximumFractionDigits, maximumFractionDigits })}\u00a0${code}`
}

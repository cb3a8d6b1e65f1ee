import { invalid, tooSmall } from "./Refusal.ts"

// The least amounts of card payments, in minor units. Any other currency begins at 1.
const leastAmounts: ReadonlyArray<readonly [least: number, currencies: string]> = [
  [30, "gbp"],
  [50, "usd aud brl cad chf eur inr jpy nzd sgd"],
  [100, "bgn"],
  [200, "aed myr pln ron"],
  [250, "dkk"],
  [300, "nok sek"],
  [400, "hkd"],
  [1000, "mxn thb"],
  [1500, "czk"],
  [17500, "huf"]
]
const least = new Map(
  leastAmounts.flatMap(([amount, codes]) => codes.split(" ").map((code) => [code, amount] as const))
)

// The most digits of an amount, where they are not eight.
const digits: Readonly<Record<string, number>> = { jpy: 10, cop: 10, huf: 10, inr: 9, idr: 12 }

// The multiples that amounts have to be of: the last decimal of three is 0, and so are two where the currency has none.
const steps: Readonly<Record<string, number>> = { bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10, isk: 100, ugx: 100 }

const known = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()))

/** Returns a currency in lower case, or refuses an unknown one. */
export const currencyOf = (code: string): string => {
  const currency = code.toLowerCase()
  if (!known.has(currency)) throw invalid(`Invalid currency: ${currency}`, { param: "currency" })
  return currency
}

/** Refuses an amount in minor units that a currency does not allow. */
export const checkAmount = (amount: number, currency: string): void => {
  if (amount < 1) throw tooSmall("amount")
  const step = steps[currency] ?? 1
  if (amount % step !== 0) throw invalid(`An amount in ${currency} is a multiple of ${step}.`, { param: "amount" })
  if (amount < (least.get(currency) ?? 1)) {
    const message = `An amount in ${currency} is at least ${least.get(currency)}.`
    throw invalid(message, { code: "amount_too_small", param: "amount" })
  }
  if (String(amount).length > (digits[currency] ?? 8)) {
    const message = `An amount in ${currency} has at most ${digits[currency] ?? 8} digits.`
    throw invalid(message, { code: "amount_too_large", param: "amount" })
  }
}

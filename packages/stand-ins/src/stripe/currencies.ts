import { invalid, tooSmall } from "./Refusal.ts"

/** The least amount of a card payment, in minor units; 1 in other currencies. */
const least: Readonly<Record<string, number>> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000
}

// Eight digits, and more where money is counted in large numbers.
const digits: Readonly<Record<string, number>> = { jpy: 10, cop: 10, huf: 10, inr: 9, idr: 12 }

// Three decimals of which the last has to be 0, and two that have to be 00 because there are none.
const steps: Readonly<Record<string, number>> = { bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10, isk: 100, ugx: 100 }

const known = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()))

/** The currency as Stripe writes it: in small letters. */
export const currencyOf = (given: string): string => {
  const currency = given.toLowerCase()
  if (!known.has(currency)) throw invalid(`Invalid currency: ${currency}`, { param: "currency" })
  return currency
}

/** Refuses an amount, in minor units, that no payment in a currency may have. */
export const checkAmount = (amount: number, currency: string): void => {
  if (amount < 1) throw tooSmall("amount")
  const step = steps[currency] ?? 1
  if (amount % step !== 0) throw invalid(`An amount in ${currency} is a multiple of ${step}.`, { param: "amount" })
  if (amount < (least[currency] ?? 1)) {
    const message = `An amount in ${currency} is at least ${least[currency]}.`
    throw invalid(message, { code: "amount_too_small", param: "amount" })
  }
  if (String(amount).length > (digits[currency] ?? 8)) {
    const message = `An amount in ${currency} has at most ${digits[currency] ?? 8} digits.`
    throw invalid(message, { code: "amount_too_large", param: "amount" })
  }
}

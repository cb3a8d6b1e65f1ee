import { data } from "currency-codes"
import { BigDecimal } from "effect"

// ISO 4217 has codes of metals and bonds, for tests, and for no currency at all, too. They are of no country: `Zz08_gold`.
const isPaidWith = ({ countries }: { readonly countries: ReadonlyArray<string> }): boolean =>
  countries.every((country) => !/^zz\d/i.test(country))

// ISO 4217: how many decimals each currency has.
const exponents = new Map(data.filter(isPaidWith).map(({ code, digits }) => [code, digits]))

/** What an amount is at most below, in major units of any currency. */
export const amountLimit = 1_000_000_000

export const currencyRefusal = "must be an ISO 4217 currency code"

/** The currency of what is asked for without one. */
export const defaultCurrency = "USD"

export const isCurrency = (code: string): boolean => exponents.has(code)

/** The decimals of a currency: 2 of USD, 0 of JPY, 3 of KWD. Of one that is none, 2. */
export const exponentOf = (currency: string): number => exponents.get(currency) ?? 2

/** How many decimals a number has: 1 of 12.5, none (or fewer) of 100. */
export const decimalsOf = (amount: number): number => BigDecimal.normalize(BigDecimal.fromNumberUnsafe(amount)).scale

/** Why a number is no amount of a currency, undefined when it is one: kept exactly, never rounded. */
export const amountProblem = (amount: number, currency: string): string | undefined => {
  if (amount < 0) return "must not be negative"
  if (!(amount < amountLimit)) return `must be below ${amountLimit.toLocaleString("en-US")}`
  const exponent = exponentOf(currency)
  if (decimalsOf(amount) <= exponent) return undefined
  return exponent === 0
    ? `must have no decimals in ${currency}`
    : `must have at most ${exponent} decimals in ${currency}`
}

/** An amount as an exact decimal string in major units, such as `299.99`: what is stored and calculated with. */
export const toAmount = (amount: number): string => BigDecimal.format(BigDecimal.fromNumberUnsafe(amount))

/** An amount in the smallest units of its currency: `10.5` of USD is 1050. Whoever counts in other ones names the exponent. */
export const toMinorUnits = (amount: string, exponent: number): number =>
  Number(BigDecimal.format(BigDecimal.multiply(BigDecimal.fromStringUnsafe(amount), BigDecimal.make(1n, -exponent))))

/** The reverse: 1050 of USD is `10.5`. */
export const fromMinorUnits = (units: number, exponent: number): string =>
  BigDecimal.format(BigDecimal.normalize(BigDecimal.make(BigInt(units), exponent)))

import { data } from "currency-codes"
import { BigDecimal } from "effect"

// ISO 4217 also has codes of metals, bonds, tests and no currency. Their country begins with `Zz`: `Zz08_gold`.
const isPaidWith = ({ countries }: { readonly countries: ReadonlyArray<string> }): boolean =>
  countries.every((country) => !/^zz\d/i.test(country))

// The decimals of each currency of ISO 4217.
const exponents = new Map(data.filter(isPaidWith).map(({ code, digits }) => [code, digits]))

/** Amounts are below this, in major units of any currency. */
export const amountLimit = 1_000_000_000

export const currencyRefusal = "must be an ISO 4217 currency code"

/** The currency of requests that name none. */
export const defaultCurrency = "USD"

export const isCurrency = (code: string): boolean => exponents.has(code)

/** Returns the decimals of a currency: 2 of USD, 0 of JPY, 3 of KWD; 2 of an unknown one. */
export const exponentOf = (currency: string): number => exponents.get(currency) ?? 2

/** Returns the decimals of a number: 1 of 12.5, none (or fewer) of 100. */
export const decimalsOf = (amount: number): number => BigDecimal.normalize(BigDecimal.fromNumberUnsafe(amount)).scale

/** Returns why a number is not an amount of a currency, or undefined. Amounts are exact and never rounded. */
export const amountProblem = (amount: number, currency: string): string | undefined => {
  if (amount < 0) return "must not be negative"
  if (!(amount < amountLimit)) return `must be below ${amountLimit.toLocaleString("en-US")}`
  const exponent = exponentOf(currency)
  if (decimalsOf(amount) <= exponent) return undefined
  return exponent === 0
    ? `must have no decimals in ${currency}`
    : `must have at most ${exponent} decimals in ${currency}`
}

/** Returns an amount as an exact decimal string in major units, such as `299.99`, for storing and calculating. */
export const toAmount = (amount: number): string => BigDecimal.format(BigDecimal.fromNumberUnsafe(amount))

/** Returns an amount in minor units: `10.5` with the exponent 2 is 1050. */
export const toMinorUnits = (amount: string, exponent: number): number =>
  Number(BigDecimal.format(BigDecimal.multiply(BigDecimal.fromStringUnsafe(amount), BigDecimal.make(1n, -exponent))))

/** Returns an amount in major units: 1050 with the exponent 2 is `10.5`. */
export const fromMinorUnits = (units: number, exponent: number): string =>
  BigDecimal.format(BigDecimal.normalize(BigDecimal.make(BigInt(units), exponent)))

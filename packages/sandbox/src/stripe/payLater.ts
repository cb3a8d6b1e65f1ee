import type { MethodType } from "./PaymentMethod.ts"
import { invalid } from "./Refusal.ts"

interface Terms {
  readonly currencies: ReadonlyArray<string>
  /** Of an amount, in minor units. */
  readonly least: number
  readonly most: number
}

/** What lenders lend: in which currencies, and how much. */
const terms: Readonly<Partial<Record<MethodType, Terms>>> = {
  affirm: { currencies: ["usd", "cad"], least: 35_00, most: 30_000_00 },
  afterpay_clearpay: { currencies: ["usd", "cad", "gbp", "aud", "nzd"], least: 1_00, most: 4_000_00 },
  klarna: {
    currencies: ["usd", "cad", "eur", "gbp", "aud", "nzd", "sek", "nok", "dkk", "chf", "czk", "pln", "ron"],
    least: 1,
    most: 99_999_999
  }
}

/** Whether a type is there for a currency. */
export const isForCurrency = (type: MethodType, currency: string): boolean =>
  terms[type]?.currencies.includes(currency) ?? true

/** Whether an amount is one that a lender lends. */
export const isLent = (type: MethodType, amount: number): boolean => {
  const { least, most } = terms[type] ?? { least: 0, most: Number.POSITIVE_INFINITY }
  return amount >= least && amount <= most
}

/** Refuses types that whoever asks named and that cannot pay this. */
export const checkTypes = (types: ReadonlyArray<MethodType>, amount: number, currency: string): void => {
  for (const type of types) {
    if (!isForCurrency(type, currency)) {
      throw invalid(`${type} is not there for payments in ${currency}.`, { param: "payment_method_types" })
    }
    if (!isLent(type, amount)) {
      const isLow = amount < (terms[type]?.least ?? 0)
      const message = `An amount of ${amount} is not one that ${type} lends.`
      throw invalid(message, { code: isLow ? "amount_too_small" : "amount_too_large", param: "amount" })
    }
  }
}

import { type MethodType, methodTypes } from "./objects.ts"

interface Terms {
  readonly currencies: ReadonlyArray<string>
  /** In minor units. */
  readonly least: number
  readonly most: number
}

/** The currencies and amounts that each lender lends. */
const terms: Readonly<Partial<Record<MethodType, Terms>>> = {
  affirm: { currencies: ["usd", "cad"], least: 35_00, most: 30_000_00 },
  afterpay_clearpay: { currencies: ["usd", "cad", "gbp", "aud", "nzd"], least: 1_00, most: 4_000_00 },
  klarna: {
    currencies: ["usd", "cad", "eur", "gbp", "aud", "nzd", "sek", "nok", "dkk", "chf", "czk", "pln", "ron"],
    least: 1,
    most: 99_999_999
  }
}

/** Returns the types that can pay an amount in minor units: cards, and the lenders that lend it. */
export const typesFor = (amount: number, currency: string): ReadonlyArray<MethodType> =>
  methodTypes.filter((type) => {
    const lender = terms[type]
    if (lender === undefined) return true
    return lender.currencies.includes(currency) && amount >= lender.least && amount <= lender.most
  })

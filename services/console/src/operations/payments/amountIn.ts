import { amountProblem, exponentOf } from "@care/domain/payments/money"
import { money } from "../../ui/money.ts"

/** Returns what is left of an amount after a part of it is taken away, without the errors of binary fractions. */
export const leftOf = (amount: number, part: number, currency: string): number =>
  Number((amount - part).toFixed(exponentOf(currency)))

/** Returns the amount that a person typed, or what is wrong with it. */
export const amountIn = (text: string, currency: string, most: number): number | string => {
  const typed = text.trim()
  if (!/^\d{1,10}(?:\.\d{1,4})?$/.test(typed)) return "Enter an amount such as 120 or 120.50."
  const amount = Number(typed)
  if (amount === 0) return "Enter an amount above 0."
  if (amount > most) return `At most ${money(most, currency)} is possible.`
  const problem = amountProblem(amount, currency)
  return problem === undefined ? amount : `The amount ${problem}.`
}

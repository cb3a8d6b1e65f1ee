import { Schema } from "effect"
import { amountLimit } from "./money.ts"

/** Why something is no amount that can be paid. */
export const notPositive = "must be a positive number"

/**
 * An amount of money in major units, more than nothing, as a JSON number. Whether it is too exact or too much, its currency
 * says (`amountProblem`).
 */
export const PositiveAmount = Schema.Number.annotate({ message: notPositive })
  .check(
    Schema.isFinite({ message: notPositive }),
    Schema.isBetween({ minimum: 0, maximum: Number.MAX_VALUE }, { message: notPositive }),
    Schema.makeFilter((amount: number) => (amount > 0 ? undefined : notPositive))
  )
  .annotate({ description: `In major units: positive, below ${amountLimit.toLocaleString("en-US")}` })

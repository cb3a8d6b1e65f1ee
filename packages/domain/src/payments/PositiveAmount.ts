import { Schema } from "effect"
import { amountLimit } from "./money.ts"

/** Why something is no amount that can be paid. */
export const notPositive = "must be a positive number"

/**
 * An amount of money in major units, more than nothing, as a JSON number. Whether it is too exact or too much, `amountProblem`
 * says; the limit stands here for the document alone.
 */
export const PositiveAmount = Schema.Number.annotate({ message: notPositive })
  .check(
    Schema.isFinite({ message: notPositive }),
    Schema.isGreaterThan(0, {
      message: notPositive,
      toJsonSchema: () => ({ exclusiveMinimum: 0, exclusiveMaximum: amountLimit })
    })
  )
  .annotate({ description: `In major units: positive, below ${amountLimit.toLocaleString("en-US")}` })

import { Schema } from "effect"
import { amountLimit } from "./money.ts"

export const notPositive = "must be a positive number"

/**
 * A positive amount in major units, as a JSON number. `amountProblem` checks the limit and the decimals; the limit here
 * is only for the document.
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

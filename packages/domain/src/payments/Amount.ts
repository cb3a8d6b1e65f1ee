import { Schema } from "effect"
import { amountLimit } from "./money.ts"

/** An amount of a request, in major units. `amountProblem` checks the limit and the decimals of the currency. */
export const Amount = Schema.Finite.check(
  Schema.isBetween(
    { minimum: 0, maximum: amountLimit },
    {
      message: "must be an amount from 0, below 1,000,000,000",
      toJsonSchema: () => ({ minimum: 0, exclusiveMaximum: amountLimit })
    }
  )
)

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

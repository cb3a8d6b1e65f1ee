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

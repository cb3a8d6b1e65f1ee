import { Schema } from "effect"
import { amountLimit } from "./money.ts"

/** An amount of a request, in major units. Whether it is the limit, or has more decimals than its currency, `amountProblem` says. */
export const Amount = Schema.Finite.check(
  Schema.isBetween(
    { minimum: 0, maximum: amountLimit },
    {
      message: "must be an amount from 0, below 1,000,000,000",
      toJsonSchema: () => ({ minimum: 0, exclusiveMaximum: amountLimit })
    }
  )
)

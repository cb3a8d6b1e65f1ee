import { Schema, SchemaGetter } from "effect"
import { amountLimit, decimalsOf, toAmount } from "./money.ts"

/** What no currency has more decimals than, and no percentage needs. */
const mostDecimals = 4
const smallest = 0.0001

const fewDecimals = Schema.makeFilter((number: number) =>
  decimalsOf(number) <= mostDecimals ? undefined : `must have at most ${mostDecimals} decimals`
)

// The bounds come first: an infinite number (`1e400`) has no decimals to count.
const between = (minimum: number, maximum: number, message: string) =>
  Schema.Finite.check(Schema.isBetween({ minimum, maximum }, { message }).abort(), fewDecimals)

// A number in JSON, kept exactly: a decimal string once decoded.
const exactly = (number: Schema.Codec<number>) =>
  number.pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform(toAmount),
      encode: SchemaGetter.transform(Number)
    })
  )

/** An amount of money in major units of whatever currency is paid in. */
export const FlatDiscount = exactly(
  between(smallest, amountLimit - smallest, `must be more than 0 and below ${amountLimit.toLocaleString("en-US")}`)
)

/** A share of what is to be paid, 0 to 100. */
export const PercentDiscount = exactly(between(0, 100, "must be between 0 and 100"))

/** What a promo code takes off: a flat amount or a percentage, never both. JSON numbers; exact decimal strings once decoded. */
export const PromoDiscount = Schema.Union([
  Schema.Struct({ flatDiscount: FlatDiscount }),
  Schema.Struct({ percentDiscount: PercentDiscount })
]).annotate({ identifier: "PromoDiscount" })
export type PromoDiscount = typeof PromoDiscount.Type

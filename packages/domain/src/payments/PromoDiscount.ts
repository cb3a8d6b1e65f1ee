import { Schema, SchemaGetter } from "effect"
import { amountLimit, decimalsOf, toAmount } from "./money.ts"

/** Enough for every currency and percentage. */
const maxDecimals = 4
const minDiscount = 0.0001

const fewDecimals = Schema.makeFilter((number: number) =>
  decimalsOf(number) <= maxDecimals ? undefined : `must have at most ${maxDecimals} decimals`
)

// The bounds are checked first: an infinite number (`1e400`) has no decimals.
const between = (minimum: number, maximum: number, message: string) =>
  Schema.Finite.check(Schema.isBetween({ minimum, maximum }, { message }).abort(), fewDecimals)

// A JSON number; an exact decimal string once decoded.
const exactDecimalOf = (number: Schema.Codec<number>) =>
  number.pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform(toAmount),
      encode: SchemaGetter.transform(Number)
    })
  )

/** An amount in major units of the payment's currency. */
export const FlatDiscount = exactDecimalOf(
  between(
    minDiscount,
    amountLimit - minDiscount,
    `must be more than 0 and below ${amountLimit.toLocaleString("en-US")}`
  )
)

/** A percentage, 0 to 100. */
export const PercentDiscount = exactDecimalOf(between(0, 100, "must be between 0 and 100"))

/** The discount of a promo code: a flat amount or a percentage. JSON numbers; exact decimal strings once decoded. */
export const PromoDiscount = Schema.Union([
  Schema.Struct({ flatDiscount: FlatDiscount }),
  Schema.Struct({ percentDiscount: PercentDiscount })
]).annotate({ identifier: "PromoDiscount" })
export type PromoDiscount = typeof PromoDiscount.Type

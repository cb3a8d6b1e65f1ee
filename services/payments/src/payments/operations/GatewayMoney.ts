import { RequestInvalid } from "@care/domain/http"
import {
  amountProblem,
  defaultCurrency,
  fromMinorUnits,
  type PartOfPayment,
  PaymentAmountTooHigh,
  type PaymentRefund,
  PaymentRefundedOtherwise,
  toAmount,
  toMinorUnits
} from "@care/domain/payments"
import { Effect } from "effect"
import { stripeExponent } from "../../stripe/index.ts"
import type { IntentRow, PaymentRow } from "../PaymentsRepo.ts"
import { refundedUnits } from "../paymentState.ts"

/** The amounts of a payment at the gateway in minor units: authorized, refunded, and left to refund; and the number of failed refunds. */
export interface GatewayMoney {
  readonly currency: string
  readonly exponent: number
  readonly authorized: number
  readonly refunded: number
  readonly failedRefunds: number
  readonly refundable: number
}

/** Returns the amounts of a payment at the gateway, from the state of its intent. */
export const gatewayMoneyOf = (payment: PaymentRow, { currency: intentCurrency, state }: IntentRow): GatewayMoney => {
  const currency = intentCurrency ?? payment.currency ?? defaultCurrency
  const exponent = stripeExponent(currency)
  const paymentUnits = payment.amount === null ? 0 : toMinorUnits(payment.amount, exponent)
  const refunded = refundedUnits(state)
  const failedRefunds = Object.values(state.refunds).filter(({ isFailed }) => isFailed).length
  return {
    currency,
    exponent,
    authorized: state.worth?.units ?? paymentUnits,
    refunded,
    failedRefunds,
    refundable: state.received - refunded
  }
}

/** Returns the requested amount in major units, by default all of the units. Fails when it is more than that. */
export const partOf = (
  { currency, exponent }: GatewayMoney,
  maxUnits: number,
  { amount }: PartOfPayment
): Effect.Effect<string, RequestInvalid | PaymentAmountTooHigh> => {
  const problem = amount === undefined ? undefined : amountProblem(amount, currency)
  if (problem !== undefined) return Effect.fail(RequestInvalid.inPayload("amount", problem))
  const requested = amount === undefined ? fromMinorUnits(maxUnits, exponent) : toAmount(amount)
  const units = toMinorUnits(requested, exponent)
  return units > 0 && units <= maxUnits
    ? Effect.succeed(requested)
    : Effect.fail(new PaymentAmountTooHigh({ most: `${fromMinorUnits(maxUnits, exponent)} ${currency}` }))
}

/** Returns the amount to refund in major units. Fails when the request names another total of earlier refunds. */
export const refundOf = (
  money: GatewayMoney,
  { refunded, ...part }: PaymentRefund
): Effect.Effect<string, RequestInvalid | PaymentAmountTooHigh | PaymentRefundedOtherwise> => {
  const refundedBefore = fromMinorUnits(money.refunded, money.exponent)
  return refunded === undefined || refunded === Number(refundedBefore)
    ? partOf(money, money.refundable, part)
    : Effect.fail(new PaymentRefundedOtherwise({ refunded: `${refundedBefore} ${money.currency}` }))
}

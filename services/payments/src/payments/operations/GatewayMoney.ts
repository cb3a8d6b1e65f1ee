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

/** How much of a payment is held at the gateway, and how much of what was taken was given back and is left, in its smallest
 * units; and how many of its refunds failed. */
export interface AtGateway {
  readonly currency: string
  readonly exponent: number
  readonly held: number
  readonly refunded: number
  readonly failedRefunds: number
  readonly left: number
}

/** What is known of the money of a payment at the gateway, from its intent. */
export const atGateway = (payment: PaymentRow, { currency: told, state }: IntentRow): AtGateway => {
  const currency = told ?? payment.currency ?? defaultCurrency
  const exponent = stripeExponent(currency)
  const own = payment.amount === null ? 0 : toMinorUnits(payment.amount, exponent)
  const refunded = refundedUnits(state)
  const failedRefunds = Object.values(state.refunds).filter(({ isFailed }) => isFailed).length
  return {
    currency,
    exponent,
    held: state.worth?.units ?? own,
    refunded,
    failedRefunds,
    left: state.received - refunded
  }
}

/** The amount that is asked for, of at most so many units: all of them when nothing is said. In major units. */
export const partOf = (
  { currency, exponent }: AtGateway,
  most: number,
  { amount }: PartOfPayment
): Effect.Effect<string, RequestInvalid | PaymentAmountTooHigh> => {
  const problem = amount === undefined ? undefined : amountProblem(amount, currency)
  if (problem !== undefined) return Effect.fail(RequestInvalid.inPayload("amount", problem))
  const asked = amount === undefined ? fromMinorUnits(most, exponent) : toAmount(amount)
  const units = toMinorUnits(asked, exponent)
  return units > 0 && units <= most
    ? Effect.succeed(asked)
    : Effect.fail(new PaymentAmountTooHigh({ most: `${fromMinorUnits(most, exponent)} ${currency}` }))
}

/** What is given back, in major units, if nothing else was given back before than is said. */
export const refundOf = (
  money: AtGateway,
  { refunded, ...part }: PaymentRefund
): Effect.Effect<string, RequestInvalid | PaymentAmountTooHigh | PaymentRefundedOtherwise> => {
  const known = fromMinorUnits(money.refunded, money.exponent)
  return refunded === undefined || refunded === Number(known)
    ? partOf(money, money.left, part)
    : Effect.fail(new PaymentRefundedOtherwise({ refunded: `${known} ${money.currency}` }))
}

import { PaymentDeclined } from "@care/domain/payments"

/** The gateway's reason for refusing an authorization. */
export interface DeclineReason {
  /** The HTTP status of the gateway. */
  readonly status: number
  readonly code: string
  /** The gateway's parameter that is wrong, if any. */
  readonly param?: string | undefined
}

const reasons: Readonly<Record<string, string>> = {
  authentication_required: "The patient's bank wants the patient to confirm the payment: they have to pay themselves",
  resource_missing: "The patient's saved payment method is not there any more: a new one has to be set up",
  amount_too_small: "The amount is too small to be held",
  amount_too_large: "The amount is too large to be held"
}

const reasonOf = ({ code, param, status }: DeclineReason): string => {
  const reason = reasons[code]
  if (reason !== undefined) return reason
  if (param === "amount") return "The amount is none that can be held in the currency of the case's payments"
  return status === 402 ? "The patient's payment method was declined" : "The payment gateway refused to hold the amount"
}

/** Returns the public reason of a refused authorization. The bank's own reason is not disclosed. */
export const declined = (decline: DeclineReason): PaymentDeclined => new PaymentDeclined({ reason: reasonOf(decline) })

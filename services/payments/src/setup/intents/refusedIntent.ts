import { RequestInvalid } from "@care/domain/http"
import type { StripeRefused } from "../../stripe/index.ts"

const amountReasons: Readonly<Record<string, string>> = {
  amount_too_small: "is too small for a payment",
  amount_too_large: "is too large for a payment"
}

/** Returns the error of the request for a refused intent, with the field of the request that is wrong. */
export const refusedIntent = ({ code, param = "" }: StripeRefused): RequestInvalid => {
  const amountReason = amountReasons[code]
  if (amountReason !== undefined || param === "amount") {
    return RequestInvalid.inPayload("amount", amountReason ?? "is no amount that can be paid in this currency")
  }
  if (param === "currency") return RequestInvalid.inPayload("currency", "is none that payments can be made in")
  if (param.startsWith("allowed_payment_method_types")) {
    return RequestInvalid.inPayload(
      "paymentMethodTypes",
      "names a type that the payment gateway does not know, or none that can pay this amount in this currency"
    )
  }
  if (code === "email_invalid" || param === "email") {
    return RequestInvalid.inPayload("email", "is none that the payment gateway takes")
  }
  return RequestInvalid.inPayload("body", "is refused by the payment gateway")
}

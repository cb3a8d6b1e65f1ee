import { type Call, putWithEvent } from "./Call.ts"
import type { PaymentMethod } from "./objects.ts"
import { testCardOf } from "./PaymentMethod.ts"
import { invalid, Refusal } from "./Refusal.ts"

/** Marks a payment method as used up: it paid without belonging to a customer, or was detached. */
export const useUp = ({ ledger }: Call, { id }: PaymentMethod): void => void ledger.put("used_method", id, { id })

/** Refuses a payment method that is used up. */
export const checkUsable = ({ ledger }: Call, method: PaymentMethod): void => {
  if (ledger.get("used_method", method.id) !== undefined) {
    throw invalid("The payment method was used without a customer, or detached from one, and cannot be used again.", {
      param: "payment_method"
    })
  }
}

/** Returns why saving a payment method is declined, if it is. */
export const declineOfSaving = (method: PaymentMethod) => {
  const card = testCardOf(method)
  return card?.declinesLate === true ? undefined : card?.decline
}

/** Attaches a payment method to a customer after a successful payment or setup. */
export const link = (call: Call, method: PaymentMethod, customer: string): PaymentMethod =>
  method.customer === customer
    ? method
    : putWithEvent(call, "payment_method", "payment_method.attached", { ...method, customer })

/** Attaches a payment method to a customer on request; its card may decline. */
export const attach = (call: Call, method: PaymentMethod, customer: string): PaymentMethod => {
  if (method.customer !== null && method.customer !== customer) {
    throw invalid("The payment method is attached to another customer already.", { param: "payment_method" })
  }
  checkUsable(call, method)
  const decline = declineOfSaving(method)
  if (decline !== undefined) throw new Refusal(402, { type: "card_error", ...decline })
  return link(call, method, customer)
}

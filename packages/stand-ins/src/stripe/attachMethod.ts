import { type Call, emit } from "./Call.ts"
import { type PaymentMethod, testCardOf } from "./PaymentMethod.ts"
import { invalid, Refusal } from "./Refusal.ts"

/** A method is used up that paid for a customer whom it does not belong to, or that was detached. */
export const useUp = ({ books }: Call, { id }: PaymentMethod): void => {
  books.put("used_method", id, { id })
}

/** Refuses a method that cannot be used any more. */
export const checkUsable = (call: Pick<Call, "books">, method: PaymentMethod): void => {
  if (call.books.get("used_method", method.id) !== undefined) {
    throw invalid("The payment method was used without a customer, or detached from one, and cannot be used again.", {
      param: "payment_method"
    })
  }
}

/** Links a method to a customer, as a payment or a setup that went well does. */
export const link = (call: Call, method: PaymentMethod, customer: string): PaymentMethod => {
  if (method.customer === customer) return method
  const linked = call.books.put("payment_method", method.id, { ...method, customer })
  emit(call, "payment_method.attached", linked)
  return linked
}

/** Links a method to a customer on request, which its card may decline. */
export const attach = (call: Call, method: PaymentMethod, customer: string): PaymentMethod => {
  if (method.customer !== null && method.customer !== customer) {
    throw invalid("The payment method is attached to another customer already.", { param: "payment_method" })
  }
  checkUsable(call, method)
  const card = testCardOf(method)
  if (card?.decline !== undefined && card.declinesLate !== true) {
    throw new Refusal(402, { type: "card_error", ...card.decline })
  }
  return link(call, method, customer)
}

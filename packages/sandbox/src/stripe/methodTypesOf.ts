import { Schema } from "effect"
import { type MethodType, methodTypes, payLaterTypes } from "./PaymentMethod.ts"
import { flag, list } from "./params.ts"
import { invalid } from "./Refusal.ts"

/** Parameters of an intent that say how it may be paid: by these types, or by those that Stripe chooses. */
export const methodTypeParams = {
  automatic_payment_methods: Schema.optionalKey(
    Schema.Struct({ enabled: flag, allow_redirects: Schema.optionalKey(Schema.Literals(["always", "never"])) })
  ),
  payment_method_types: Schema.optionalKey(list(Schema.Literals(methodTypes)))
}

interface Given {
  readonly automatic_payment_methods?: { readonly enabled: boolean; readonly allow_redirects?: "always" | "never" }
  readonly payment_method_types?: ReadonlyArray<MethodType>
}

/** Members of an intent that say how it may be paid. */
export const methodTypesOf = (
  { automatic_payment_methods: automatic, payment_method_types }: Given,
  all: ReadonlyArray<MethodType>
) => {
  if (payment_method_types !== undefined) {
    if (automatic?.enabled === true) {
      throw invalid("Give automatic_payment_methods or payment_method_types, not both.", {
        param: "payment_method_types"
      })
    }
    return { automatic_payment_methods: null, payment_method_types }
  }
  if (automatic?.enabled === false) return { automatic_payment_methods: null, payment_method_types: ["card"] as const }
  const allow_redirects = automatic?.allow_redirects ?? "always"
  return {
    automatic_payment_methods: { enabled: true, allow_redirects } as const,
    payment_method_types: allow_redirects === "always" ? all : (["card"] as const)
  }
}

/** Refuses to go on without a place to come back to where a type of payment leads away. */
export const checkReturnUrl = (
  intent: { readonly automatic_payment_methods: { readonly allow_redirects: string } | null },
  type: MethodType,
  returnUrl: string | undefined
): void => {
  if (returnUrl !== undefined) return
  if (intent.automatic_payment_methods?.allow_redirects === "always") {
    throw invalid(
      "Payment methods that lead the customer away are allowed: give a return_url, or set automatic_payment_methods[allow_redirects] to never.",
      { param: "return_url" }
    )
  }
  if (payLaterTypes.some((one) => one === type)) {
    throw invalid("Missing required param: return_url.", { code: "parameter_missing", param: "return_url" })
  }
}

import { Schema } from "effect"
import { type MethodType, methodTypes, payLaterTypes } from "./PaymentMethod.ts"
import { flag, list } from "./params.ts"
import { invalid } from "./Refusal.ts"

const key = Schema.optionalKey

const types = key(list(Schema.Literals(methodTypes)))

/** Parameters of every request that may say how an intent is paid. Older versions of the API call it `payment_method_types`. */
export const allowedParams = { allowed_payment_method_types: types, payment_method_types: types }

/** Parameters of a new intent that say how it may be paid: by types of these, or by those that Stripe chooses. */
export const methodTypeParams = {
  ...allowedParams,
  automatic_payment_methods: key(
    Schema.Struct({ enabled: flag, allow_redirects: key(Schema.Literals(["always", "never"])) })
  )
}

interface Given {
  readonly allowed_payment_method_types?: ReadonlyArray<MethodType>
  readonly automatic_payment_methods?: { readonly enabled: boolean; readonly allow_redirects?: "always" | "never" }
  readonly payment_method_types?: ReadonlyArray<MethodType>
}

/** The types of which an intent is, as far as its requests say. */
export interface Chosen {
  readonly allowed_payment_method_types: ReadonlyArray<MethodType> | null
  readonly automatic_payment_methods: { readonly enabled: true; readonly allow_redirects: "always" | "never" } | null
}

/** Reads how an intent may be paid; what is not given is as it was. */
export const chosenOf = (
  {
    payment_method_types: older,
    allowed_payment_method_types: allowed = older,
    automatic_payment_methods: automatic
  }: Given,
  before: Chosen = {
    allowed_payment_method_types: null,
    automatic_payment_methods: { enabled: true, allow_redirects: "always" }
  }
): Chosen => {
  if (allowed !== undefined && automatic !== undefined) {
    throw invalid("Give automatic_payment_methods or allowed_payment_method_types, not both.", {
      param: "allowed_payment_method_types"
    })
  }
  if (allowed !== undefined) return { allowed_payment_method_types: allowed, automatic_payment_methods: null }
  if (automatic === undefined) return before
  const { allow_redirects = "always", enabled } = automatic
  return {
    allowed_payment_method_types: null,
    automatic_payment_methods: enabled ? { enabled, allow_redirects } : null
  }
}

/** Those types that go with what was chosen, of those that are there for a payment or a setup. */
export const typesOf = (
  { allowed_payment_method_types: allowed, automatic_payment_methods: automatic }: Chosen,
  there: ReadonlyArray<MethodType>
): ReadonlyArray<MethodType> => {
  const wanted = allowed ?? (automatic?.allow_redirects === "always" ? methodTypes : (["card"] as const))
  const types = there.filter((type) => wanted.some((one) => one === type))
  if (types.length === 0) throw invalid("None of these types can pay this.", { param: "allowed_payment_method_types" })
  return types
}

/** Refuses to go on without a place to come back to where a type of payment leads away. */
export const checkReturnUrl = (
  { automatic_payment_methods: automatic }: Chosen,
  type: MethodType,
  returnUrl: string | undefined
): void => {
  if (returnUrl !== undefined) return
  if (automatic?.allow_redirects === "always") {
    throw invalid(
      "Payment methods that lead the customer away are allowed: give a return_url, or set automatic_payment_methods[allow_redirects] to never.",
      { param: "return_url" }
    )
  }
  if (payLaterTypes.some((one) => one === type)) {
    throw invalid("Missing required param: return_url.", { code: "parameter_missing", param: "return_url" })
  }
}

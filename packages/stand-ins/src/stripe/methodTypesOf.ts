import { Schema } from "effect"
import { type AllowedTypes, type MethodType, methodTypes, payLaterTypes } from "./objects.ts"
import { flag, list, optional } from "./params.ts"
import { invalid } from "./Refusal.ts"

interface Terms {
  readonly currencies: ReadonlyArray<string>
  /** In minor units. */
  readonly least: number
  readonly most: number
}

/** The currencies and amounts that each lender lends. */
const terms: Readonly<Partial<Record<MethodType, Terms>>> = {
  affirm: { currencies: ["usd", "cad"], least: 35_00, most: 30_000_00 },
  afterpay_clearpay: { currencies: ["usd", "cad", "gbp", "aud", "nzd"], least: 1_00, most: 4_000_00 },
  klarna: {
    currencies: ["usd", "cad", "eur", "gbp", "aud", "nzd", "sek", "nok", "dkk", "chf", "czk", "pln", "ron"],
    least: 1,
    most: 99_999_999
  }
}

/** Returns the types that can pay an amount in minor units: cards, and the lenders that lend it. */
export const typesFor = (amount: number, currency: string): ReadonlyArray<MethodType> =>
  methodTypes.filter((type) => {
    const lender = terms[type]
    if (lender === undefined) return true
    return lender.currencies.includes(currency) && amount >= lender.least && amount <= lender.most
  })

const types = optional(list(Schema.Literals(methodTypes)))

/** The parameters that restrict the types of payment methods. `payment_method_types` is the name of older API versions. */
export const allowedParams = { allowed_payment_method_types: types, payment_method_types: types }

/** The parameters of a new intent: given types, or types that Stripe chooses. */
export const methodTypeParams = {
  ...allowedParams,
  automatic_payment_methods: optional(
    Schema.Struct({ enabled: flag, allow_redirects: optional(Schema.Literals(["always", "never"])) })
  )
}

interface Given {
  readonly allowed_payment_method_types?: ReadonlyArray<MethodType>
  readonly automatic_payment_methods?: { readonly enabled: boolean; readonly allow_redirects?: "always" | "never" }
  readonly payment_method_types?: ReadonlyArray<MethodType>
}

/** Returns the allowed types of a request, or those from before it. */
export const allowedTypesOf = (
  {
    payment_method_types: older,
    allowed_payment_method_types: allowed = older,
    automatic_payment_methods: automatic
  }: Given,
  before: AllowedTypes = {
    allowed_payment_method_types: null,
    automatic_payment_methods: { enabled: true, allow_redirects: "always" }
  }
): AllowedTypes => {
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

/** Returns the allowed types among the available ones. */
export const typesOf = (
  { allowed_payment_method_types: allowed, automatic_payment_methods: automatic }: AllowedTypes,
  available: ReadonlyArray<MethodType>
): ReadonlyArray<MethodType> => {
  const requested = allowed ?? (automatic?.allow_redirects === "always" ? methodTypes : (["card"] as const))
  const types = available.filter((type) => requested.some((candidate) => candidate === type))
  if (types.length === 0) throw invalid("None of these types can pay this.", { param: "allowed_payment_method_types" })
  return types
}

/** Refuses a payment method that redirects the customer when there is no return URL. */
export const checkReturnUrl = (
  { automatic_payment_methods: automatic }: AllowedTypes,
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
  if (payLaterTypes.some((candidate) => candidate === type)) {
    throw invalid("Missing required param: return_url.", { code: "parameter_missing", param: "return_url" })
  }
}

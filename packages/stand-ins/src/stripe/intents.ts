import type { NextAction, PaymentIntent, SetupIntent } from "./objects.ts"

const openStatuses = new Set<string>(["requires_payment_method", "requires_confirmation", "requires_action"])

/** Returns whether an intent may still be changed and confirmed. */
export const isOpen = ({ status }: PaymentIntent | SetupIntent): boolean => openStatuses.has(status)

/**
 * Returns the fields of an intent that waits for its customer: on the stand-in's page, or, without a return URL, in
 * Stripe's script.
 */
export const awaitingCustomer = (url: string, intent: string, methodId: string, returnUrl: string | null) => {
  const page = `${url}/authorize/${intent}`
  const next_action: NextAction =
    returnUrl === null
      ? { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: page } }
      : { type: "redirect_to_url", redirect_to_url: { return_url: returnUrl, url: page } }
  return { next_action, payment_method: methodId, status: "requires_action" } as const
}

/** What a customer has to do before an intent goes on. */
export type NextAction =
  | {
      readonly type: "redirect_to_url"
      readonly redirect_to_url: { readonly return_url: string; readonly url: string }
    }
  | { readonly type: "use_stripe_sdk"; readonly use_stripe_sdk: object }

/** To go to the stand-in's page for it, or, without a place to come back to, to be asked by Stripe's script. */
export const nextActionOf = (url: string, intent: string, returnUrl: string | null): NextAction =>
  returnUrl === null
    ? {
        type: "use_stripe_sdk",
        use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: `${url}/authorize/${intent}` }
      }
    : { type: "redirect_to_url", redirect_to_url: { return_url: returnUrl, url: `${url}/authorize/${intent}` } }

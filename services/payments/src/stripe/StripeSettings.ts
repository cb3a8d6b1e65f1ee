import {
  minSecretLength,
  readSettings,
  ServiceConfig,
  secret,
  secretCredential,
  secretList,
  secretListOf,
  secretSetting,
  setting,
  urlSetting
} from "@care/service-kit"
import { Context, Effect, Layer, type Redacted } from "effect"

const stripesSecretList = secretListOf(
  `whsec_..., each of at least ${minSecretLength} characters`,
  (entry) => /^whsec_\S+$/.test(entry) && entry.length >= minSecretLength
)

export const stripeSettings = {
  url: setting(
    urlSetting,
    "STRIPE_API_URL",
    "https://api.stripe.com",
    "the URL of Stripe's API. Under `start` the stand-in is used if it is not set"
  ),
  key: secretSetting(
    "STRIPE_SECRET_KEY",
    "the secret key of the Stripe account, sk_...",
    "the secret key of the Stripe account, `sk_...`"
  ),
  secrets: secretSetting(
    "STRIPE_WEBHOOK_SECRET",
    "the signing secret of the webhook endpoint, whsec_...",
    "one or more secrets, separated by commas (`whsec_...`), each at least 32 characters long in production. Stripe signs its events with one of them, the stand-in with the first"
  )
}

/** The URL of Stripe, and the credentials of both sides. */
export class StripeSettings extends Context.Service<
  StripeSettings,
  {
    readonly url: string
    readonly key: Redacted.Redacted
    /** Stripe signs events with one of these. */
    readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
    /** The timeout of an attempt, in milliseconds. */
    readonly timeoutMillis: number
    /** The number of retries of a call without an answer, half a second later. */
    readonly retries: number
  }
>()("@care/payments/stripe/StripeSettings") {
  static readonly layer = Layer.effect(
    StripeSettings,
    Effect.gen(function* () {
      const url = yield* readSettings(stripeSettings.url)
      const { isProduction } = yield* ServiceConfig
      const key = yield* secret(stripeSettings.key, secretCredential)
      const webhookSecrets = yield* secret(stripeSettings.secrets, isProduction ? stripesSecretList : secretList)
      return StripeSettings.of({
        url,
        key,
        webhookSecrets,
        timeoutMillis: 5000,
        retries: 1
      })
    })
  )
}

import {
  BootError,
  minSecretLength,
  readSettings,
  ServiceConfig,
  secret,
  secretSetting,
  setting,
  urlSetting
} from "@care/service-kit"
import { Context, Effect, Layer, Redacted } from "effect"

const asciiWithoutSpace = /^[\x21-\x7e]+$/

const isWebhookSecret = (text: string): boolean => text.startsWith("whsec_") && text.length >= minSecretLength

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
      const key = yield* secret(stripeSettings.key)
      const secrets = yield* secret(stripeSettings.secrets)
      if (!asciiWithoutSpace.test(Redacted.value(key))) {
        return yield* new BootError({ message: "STRIPE_SECRET_KEY has to be a text of ASCII without white space." })
      }
      const webhookSecrets = Redacted.value(secrets)
        .split(",")
        .map((text) => text.trim())
      if (!webhookSecrets.every((text) => asciiWithoutSpace.test(text))) {
        return yield* new BootError({
          message: "STRIPE_WEBHOOK_SECRET has to be a list of texts without white space, separated by commas."
        })
      }
      const { isProduction } = yield* ServiceConfig
      if (isProduction && !webhookSecrets.every(isWebhookSecret)) {
        return yield* new BootError({
          message: `STRIPE_WEBHOOK_SECRET has to be a list of whsec_..., each of at least ${minSecretLength} characters, separated by commas.`
        })
      }
      return StripeSettings.of({
        url,
        key,
        webhookSecrets: webhookSecrets.map((text) => Redacted.make(text)),
        timeoutMillis: 5000,
        retries: 1
      })
    })
  )
}

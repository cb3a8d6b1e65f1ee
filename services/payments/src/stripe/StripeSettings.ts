import {
  BootError,
  type ByMode,
  isProductionSetting,
  minSecretLength,
  optionalSecret,
  readSettings,
  requireOtherSecrets,
  secret,
  secretCredential,
  secretList,
  secretListOf,
  secretSetting,
  setting,
  urlSetting
} from "@care/service-kit"
import { Config, Context, Effect, Layer, Redacted } from "effect"

const stripesSecretList = secretListOf(
  `whsec_..., each of at least ${minSecretLength} characters`,
  (entry) => /^whsec_\S+$/.test(entry) && entry.length >= minSecretLength
)

const webhookSecretList = (name: string) =>
  Config.flatMap(isProductionSetting, (isProduction) => (isProduction ? stripesSecretList : secretList)(name))

export const stripeSettings = {
  url: setting(urlSetting, "STRIPE_API_URL", "https://api.stripe.com", "Stripe's API; under `start` the stand-in"),
  key: secretSetting(
    "STRIPE_SECRET_KEY",
    "the secret key of the Stripe account, sk_...",
    "the secret key of the Stripe account, `sk_...`"
  ),
  secrets: secretSetting(
    "STRIPE_WEBHOOK_SECRET",
    "the signing secret of the webhook endpoint, whsec_...",
    "secrets, separated by commas (`whsec_...`), each at least 32 characters long in production. Stripe signs its events with one of them"
  )
}

export const testStripeSettings = {
  url: setting(urlSetting, "TEST_STRIPE_API_URL", "https://api.stripe.com", "for sandboxes"),
  key: optionalSecret(
    secretCredential,
    "TEST_STRIPE_SECRET_KEY",
    "a key of Stripe's test mode for sandboxes, `sk_test_...`. Without it, their payments are 503"
  ),
  secrets: optionalSecret(webhookSecretList, "TEST_STRIPE_WEBHOOK_SECRET", "required with it")
}

/** The URL of Stripe, and the credentials of both sides. */
export interface StripeAccount {
  readonly url: string
  readonly key: Redacted.Redacted
  /** Stripe signs events with one of these. */
  readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
}

const isLiveKey = (key: Redacted.Redacted): boolean => /^[a-z]k_live_/.test(Redacted.value(key))

const readTestAccount = Effect.fnUntraced(function* (live: StripeAccount) {
  const { key, secrets, url } = yield* readSettings(Config.all(testStripeSettings))
  if (key === undefined) return undefined
  if (isLiveKey(key)) {
    return yield* new BootError({
      message: "TEST_STRIPE_SECRET_KEY is a live key: set it to one of Stripe's test mode (sk_test_...)."
    })
  }
  yield* requireOtherSecrets("STRIPE_SECRET_KEY", live.key, key)
  if (secrets === undefined) {
    return yield* new BootError({ message: "TEST_STRIPE_SECRET_KEY needs TEST_STRIPE_WEBHOOK_SECRET beside it." })
  }
  yield* requireOtherSecrets("STRIPE_WEBHOOK_SECRET", live.webhookSecrets, secrets)
  return { url, key, webhookSecrets: secrets }
})

/** The accounts at Stripe: that of live organizations, and that of sandboxes, if there is one. */
export class StripeSettings extends Context.Service<
  StripeSettings,
  ByMode<StripeAccount | undefined> & {
    readonly live: StripeAccount
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
      const key = yield* secret(stripeSettings.key, secretCredential)
      const webhookSecrets = yield* secret(stripeSettings.secrets, webhookSecretList)
      const live = { url, key, webhookSecrets }
      return StripeSettings.of({
        live,
        test: yield* readTestAccount(live),
        timeoutMillis: 5000,
        retries: 1
      })
    })
  )
}

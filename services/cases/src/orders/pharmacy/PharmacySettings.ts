import {
  BootError,
  type ByMode,
  optionalSecret,
  optionalSetting,
  readSettings,
  requireOtherSecrets,
  secretCredential,
  secretListOf,
  urlSetting
} from "@care/service-kit"
import { Config, Context, Effect, Layer, Redacted } from "effect"
import { Webhook } from "standardwebhooks"

const secretForm = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

const pharmacySecrets = secretListOf("whsec_<base64 of at least 24 bytes>", (entry) => secretForm.test(entry))

export const pharmacySettings = {
  url: optionalSetting(
    urlSetting,
    "PHARMACY_API_URL",
    "the pharmacy's API (`POST /orders`, `GET /orders/changes`). Without it, an accepted order counts as handed over",
    "under `start` the stand-in"
  ),
  token: optionalSecret(secretCredential, "PHARMACY_API_TOKEN", "its bearer token, required with it"),
  secrets: optionalSecret(
    pharmacySecrets,
    "PHARMACY_WEBHOOK_SECRET",
    "secrets, separated by commas (`whsec_<base64>`). It signs events with one. Required with it"
  )
}

export const testPharmacySettings = {
  url: optionalSetting(urlSetting, "TEST_PHARMACY_API_URL", "for sandboxes"),
  token: optionalSecret(secretCredential, "TEST_PHARMACY_API_TOKEN", "required with it"),
  secrets: optionalSecret(pharmacySecrets, "TEST_PHARMACY_WEBHOOK_SECRET", "required with it")
}

/** An account at the pharmacy: its address, our token there, and the secrets of its callbacks. */
export interface PharmacyAccount {
  /** Undefined when there is no pharmacy: orders count as handed over when they are accepted. */
  readonly api: { readonly url: string; readonly token: Redacted.Redacted } | undefined
  /** Verify the signatures of its callbacks, one for each secret. */
  readonly webhooks: ReadonlyArray<Webhook>
}

interface AccountSettings {
  readonly url: string | undefined
  readonly token: Redacted.Redacted | undefined
  readonly secrets: ReadonlyArray<Redacted.Redacted> | undefined
}

const accountOf = Effect.fnUntraced(function* (
  prefix: string,
  { secrets, token, url }: AccountSettings
): Effect.fn.Return<PharmacyAccount, BootError> {
  if (url !== undefined && (token === undefined || secrets === undefined)) {
    return yield* new BootError({
      message: `${prefix}PHARMACY_API_URL needs ${prefix}PHARMACY_API_TOKEN and ${prefix}PHARMACY_WEBHOOK_SECRET beside it.`
    })
  }
  return {
    api: url === undefined || token === undefined ? undefined : { url, token },
    webhooks: (secrets ?? []).map((secret) => new Webhook(Redacted.value(secret)))
  }
})

/** The accounts at the pharmacy: that of live organizations, and that of sandboxes. */
export class PharmacySettings extends Context.Service<PharmacySettings, ByMode<PharmacyAccount>>()(
  "@care/cases/pharmacy/PharmacySettings"
) {
  static readonly layer = Layer.effect(
    PharmacySettings,
    Effect.gen(function* () {
      const live = yield* readSettings(Config.all(pharmacySettings))
      const test = yield* readSettings(Config.all(testPharmacySettings))
      yield* requireOtherSecrets("PHARMACY_API_TOKEN", live.token, test.token)
      yield* requireOtherSecrets("PHARMACY_WEBHOOK_SECRET", live.secrets, test.secrets)
      return PharmacySettings.of({ live: yield* accountOf("", live), test: yield* accountOf("TEST_", test) })
    })
  )
}

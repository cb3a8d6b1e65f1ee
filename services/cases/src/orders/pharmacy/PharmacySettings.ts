import {
  type ByMode,
  optionalSecret,
  optionalSetting,
  readSettings,
  secretCredential,
  secretListOf,
  type ThirdPartyAccount,
  thirdPartyAccounts,
  urlSetting
} from "@care/service-kit"
import { Config, Context, Effect, Layer } from "effect"

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

/**
 * The accounts at the pharmacy: that of live organizations, and that of sandboxes. Without one, orders count as handed over when they are
 * accepted.
 */
export class PharmacySettings extends Context.Service<PharmacySettings, ByMode<ThirdPartyAccount>>()(
  "@care/cases/pharmacy/PharmacySettings"
) {
  static readonly layer = Layer.effect(
    PharmacySettings,
    Effect.gen(function* () {
      const live = yield* readSettings(Config.all(pharmacySettings))
      const test = yield* readSettings(Config.all(testPharmacySettings))
      return PharmacySettings.of(yield* thirdPartyAccounts("PHARMACY", { live, test }))
    })
  )
}

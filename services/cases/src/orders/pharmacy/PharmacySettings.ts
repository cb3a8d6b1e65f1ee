import {
  BootError,
  optionalSecret,
  optionalSetting,
  readSettings,
  secretCredential,
  secretListOf,
  urlSetting
} from "@care/service-kit"
import { Config, Context, Effect, Layer, Redacted } from "effect"
import { Webhook } from "standardwebhooks"

const secretForm = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

export const pharmacySettings = {
  url: optionalSetting(
    urlSetting,
    "PHARMACY_API_URL",
    "the URL of the pharmacy's API, which receives orders (`POST /orders`) and reports their changes (`GET /orders/changes`). Without it, an accepted order counts as handed over",
    "under `start` the stand-in"
  ),
  token: optionalSecret(
    secretCredential,
    "PHARMACY_API_TOKEN",
    "the bearer token for the pharmacy's API. Required with `PHARMACY_API_URL`"
  ),
  secrets: optionalSecret(
    secretListOf("whsec_<base64 of at least 24 bytes>", (entry) => secretForm.test(entry)),
    "PHARMACY_WEBHOOK_SECRET",
    "one or more secrets, separated by commas (`whsec_<base64>`). The pharmacy signs its events with one of them. Required with `PHARMACY_API_URL`"
  )
}

/** The address of the pharmacy, our token there, and the secrets of its callbacks. */
export class PharmacySettings extends Context.Service<
  PharmacySettings,
  {
    /** Undefined when there is no pharmacy: orders count as handed over when they are accepted. */
    readonly api: { readonly url: string; readonly token: Redacted.Redacted } | undefined
    /** Verify the signatures of its callbacks, one for each secret. */
    readonly webhooks: ReadonlyArray<Webhook>
  }
>()("@care/cases/pharmacy/PharmacySettings") {
  static readonly layer = Layer.effect(
    PharmacySettings,
    Effect.gen(function* () {
      const { secrets, token, url } = yield* readSettings(Config.all(pharmacySettings))
      if (url !== undefined && (token === undefined || secrets === undefined)) {
        return yield* new BootError({
          message: "PHARMACY_API_URL needs PHARMACY_API_TOKEN and PHARMACY_WEBHOOK_SECRET beside it."
        })
      }
      return PharmacySettings.of({
        api: url === undefined || token === undefined ? undefined : { url, token },
        webhooks: (secrets ?? []).map((secret) => new Webhook(Redacted.value(secret)))
      })
    })
  )
}

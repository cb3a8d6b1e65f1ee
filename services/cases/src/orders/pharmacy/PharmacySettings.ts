import { BootError, optionalSetting, readSettings, urlSetting } from "@care/service-kit"
import { Config, Context, Effect, Layer, Redacted } from "effect"
import { Webhook } from "standardwebhooks"

const tokenForm = /^[\x21-\x7e]+$/
const secretForm = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

export const pharmacySettings = {
  url: optionalSetting(
    urlSetting,
    "PHARMACY_API_URL",
    "the URL of the pharmacy's API, which receives orders (`POST /orders`) and reports their changes (`GET /orders/changes`). Without it, an accepted order counts as handed over",
    "under `start` the stand-in"
  ),
  token: optionalSetting(
    (name) => Config.Redacted(name),
    "PHARMACY_API_TOKEN",
    "the bearer token for the pharmacy's API. Required with `PHARMACY_API_URL`"
  ),
  secrets: optionalSetting(
    (name) => Config.Redacted(name),
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
      if (token !== undefined && !tokenForm.test(Redacted.value(token))) {
        return yield* new BootError({ message: "PHARMACY_API_TOKEN has to be a text of ASCII without white space." })
      }
      const parts = secrets === undefined ? [] : Redacted.value(secrets).split(",")
      const webhookSecrets = parts.map((text) => text.trim())
      if (!webhookSecrets.every((text) => secretForm.test(text))) {
        return yield* new BootError({
          message:
            "PHARMACY_WEBHOOK_SECRET has to be a list of whsec_<base64 of at least 24 bytes>, separated by commas."
        })
      }
      if (url !== undefined && (token === undefined || webhookSecrets.length === 0)) {
        return yield* new BootError({
          message: "PHARMACY_API_URL needs PHARMACY_API_TOKEN and PHARMACY_WEBHOOK_SECRET beside it."
        })
      }
      return PharmacySettings.of({
        api: url === undefined || token === undefined ? undefined : { url, token },
        webhooks: webhookSecrets.map((text) => new Webhook(text))
      })
    })
  )
}

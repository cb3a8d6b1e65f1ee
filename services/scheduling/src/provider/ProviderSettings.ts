import { BootError, optionalSetting, publicUrlSetting, readSettings, urlSetting } from "@care/service-kit"
import { Config, Context, Effect, Layer, Redacted } from "effect"

const asciiWithoutSpace = /^[\x21-\x7e]+$/

export const providerSettings = {
  url: optionalSetting(
    urlSetting,
    "SCHEDULING_API_URL",
    "the URL of the scheduling provider's API, such as `https://api.calendly.com`. Without it, bookings are refused with 503",
    "under `start` the stand-in"
  ),
  token: optionalSetting(
    (name) => Config.Redacted(name),
    "SCHEDULING_API_TOKEN",
    "the bearer token for the scheduling provider's API. Required with `SCHEDULING_API_URL`"
  ),
  secrets: optionalSetting(
    (name) => Config.Redacted(name),
    "SCHEDULING_WEBHOOK_SECRET",
    "one or more secrets, separated by commas. The provider signs its events with one of them, the stand-in with the first. Required with `SCHEDULING_API_URL`"
  ),
  publicUrl: publicUrlSetting
}

/** The URL of the scheduling provider, and the credentials of both sides. */
export class ProviderSettings extends Context.Service<
  ProviderSettings,
  {
    /** Undefined without a provider: nothing can be booked then. */
    readonly api: { readonly url: string; readonly token: Redacted.Redacted } | undefined
    /** The provider signs events with one of these. */
    readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
    /**
     * The URL of our webhook, as it is registered at the provider; undefined when the gateway's public URL is unknown.
     */
    readonly webhookUrl: string | undefined
    /** The timeout of an attempt, in milliseconds. */
    readonly timeoutMillis: number
  }
>()("@care/scheduling/provider/ProviderSettings") {
  static readonly layer = Layer.effect(
    ProviderSettings,
    Effect.gen(function* () {
      const { publicUrl, secrets, token, url } = yield* readSettings(Config.all(providerSettings))
      if (token !== undefined && !asciiWithoutSpace.test(Redacted.value(token))) {
        return yield* new BootError({ message: "SCHEDULING_API_TOKEN has to be a text of ASCII without white space." })
      }
      const list = secrets === undefined ? [] : Redacted.value(secrets).split(",")
      const webhookSecrets = list.map((text) => text.trim())
      if (!webhookSecrets.every((text) => asciiWithoutSpace.test(text))) {
        return yield* new BootError({
          message: "SCHEDULING_WEBHOOK_SECRET has to be a list of texts without white space, separated by commas."
        })
      }
      if (url !== undefined && (token === undefined || webhookSecrets.length === 0)) {
        return yield* new BootError({
          message: "SCHEDULING_API_URL needs SCHEDULING_API_TOKEN and SCHEDULING_WEBHOOK_SECRET beside it."
        })
      }
      return ProviderSettings.of({
        api: url === undefined || token === undefined ? undefined : { url: url.replace(/\/$/, ""), token },
        webhookSecrets: webhookSecrets.map((text) => Redacted.make(text)),
        webhookUrl: publicUrl === undefined ? undefined : `${publicUrl.replace(/\/+$/, "")}/webhooks/scheduling`,
        timeoutMillis: 5000
      })
    })
  )
}

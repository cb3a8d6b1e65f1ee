import { firstCell } from "@care/domain/cells"
import {
  BootError,
  cellSetting,
  optionalSecret,
  optionalSetting,
  publicUrlSetting,
  readSettings,
  secretCredential,
  secretList,
  urlSetting
} from "@care/service-kit"
import { Config, Context, Effect, Layer, type Redacted } from "effect"

export const providerSettings = {
  url: optionalSetting(
    urlSetting,
    "SCHEDULING_API_URL",
    "the URL of the scheduling provider's API, such as `https://api.calendly.com`. Without it, bookings are refused with 503",
    "under `start` the stand-in"
  ),
  token: optionalSecret(
    secretCredential,
    "SCHEDULING_API_TOKEN",
    "the bearer token for the scheduling provider's API. Required with `SCHEDULING_API_URL`"
  ),
  secrets: optionalSecret(
    secretList,
    "SCHEDULING_WEBHOOK_SECRET",
    "one or more secrets, separated by commas. The provider signs its events with one of them, the stand-in with the first. Required with `SCHEDULING_API_URL`"
  ),
  publicUrl: publicUrlSetting
}

/** The URL of the scheduling provider, and the credentials of both sides. */
const webhookUrlOf = (publicUrl: string, cell: string): string =>
  `${publicUrl.replace(/\/+$/, "")}/webhooks/scheduling${cell === firstCell ? "" : `/${cell}`}`

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
      const cell = yield* readSettings(cellSetting)
      if (url !== undefined && (token === undefined || secrets === undefined)) {
        return yield* new BootError({
          message: "SCHEDULING_API_URL needs SCHEDULING_API_TOKEN and SCHEDULING_WEBHOOK_SECRET beside it."
        })
      }
      return ProviderSettings.of({
        api: url === undefined || token === undefined ? undefined : { url: url.replace(/\/$/, ""), token },
        webhookSecrets: secrets ?? [],
        webhookUrl: publicUrl === undefined ? undefined : webhookUrlOf(publicUrl, cell),
        timeoutMillis: 5000
      })
    })
  )
}

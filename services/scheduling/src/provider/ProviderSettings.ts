import { firstCell } from "@care/domain/cells"
import {
  type ByMode,
  cellSetting,
  optionalSecret,
  optionalSetting,
  publicUrlSetting,
  readSettings,
  secretCredential,
  secretList,
  type ThirdPartyAccount,
  thirdPartyAccounts,
  urlSetting
} from "@care/service-kit"
import { Config, Context, Effect, Layer } from "effect"

export const providerSettings = {
  url: optionalSetting(
    urlSetting,
    "SCHEDULING_API_URL",
    "the scheduling provider's API, such as `https://api.calendly.com`. Without it, bookings are refused with 503",
    "under `start` the stand-in"
  ),
  token: optionalSecret(secretCredential, "SCHEDULING_API_TOKEN", "its bearer token, required with it"),
  secrets: optionalSecret(
    secretList,
    "SCHEDULING_WEBHOOK_SECRET",
    "secrets, separated by commas. It signs events with one. Required with it"
  ),
  publicUrl: publicUrlSetting
}

export const testProviderSettings = {
  url: optionalSetting(urlSetting, "TEST_SCHEDULING_API_URL", "for sandboxes"),
  token: optionalSecret(secretCredential, "TEST_SCHEDULING_API_TOKEN", "required with it"),
  secrets: optionalSecret(secretList, "TEST_SCHEDULING_WEBHOOK_SECRET", "required with it")
}

const webhookUrlOf = (publicUrl: string, cell: string): string =>
  `${publicUrl.replace(/\/+$/, "")}/webhooks/scheduling${cell === firstCell ? "" : `/${cell}`}`

/** The accounts at the scheduling provider: that of live organizations, and that of sandboxes. Nothing can be booked without one. */
export class ProviderSettings extends Context.Service<
  ProviderSettings,
  ByMode<ThirdPartyAccount> & {
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
      const { publicUrl, ...live } = yield* readSettings(Config.all(providerSettings))
      const cell = yield* readSettings(cellSetting)
      const test = yield* readSettings(Config.all(testProviderSettings))
      return ProviderSettings.of({
        ...(yield* thirdPartyAccounts("SCHEDULING", { live, test })),
        webhookUrl: publicUrl === undefined ? undefined : webhookUrlOf(publicUrl, cell),
        timeoutMillis: 5000
      })
    })
  )
}

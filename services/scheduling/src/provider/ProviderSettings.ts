import { firstCell } from "@care/domain/cells"
import {
  BootError,
  type ByMode,
  cellSetting,
  optionalSecret,
  optionalSetting,
  publicUrlSetting,
  readSettings,
  requireOtherSecrets,
  secretCredential,
  secretList,
  urlSetting
} from "@care/service-kit"
import { Config, Context, Effect, Layer, type Redacted } from "effect"

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

/** An account at the scheduling provider: its address, and the credentials of both sides. */
export interface ProviderAccount {
  /** Undefined without a provider: nothing can be booked then. */
  readonly api: { readonly url: string; readonly token: Redacted.Redacted } | undefined
  /** The provider signs events with one of these. */
  readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
}

interface AccountSettings {
  readonly url: string | undefined
  readonly token: Redacted.Redacted | undefined
  readonly secrets: ReadonlyArray<Redacted.Redacted> | undefined
}

const accountOf = Effect.fnUntraced(function* (
  prefix: string,
  { secrets, token, url }: AccountSettings
): Effect.fn.Return<ProviderAccount, BootError> {
  if (url !== undefined && (token === undefined || secrets === undefined)) {
    return yield* new BootError({
      message: `${prefix}SCHEDULING_API_URL needs ${prefix}SCHEDULING_API_TOKEN and ${prefix}SCHEDULING_WEBHOOK_SECRET beside it.`
    })
  }
  return {
    api: url === undefined || token === undefined ? undefined : { url: url.replace(/\/$/, ""), token },
    webhookSecrets: secrets ?? []
  }
})

const webhookUrlOf = (publicUrl: string, cell: string): string =>
  `${publicUrl.replace(/\/+$/, "")}/webhooks/scheduling${cell === firstCell ? "" : `/${cell}`}`

/** The accounts at the scheduling provider: that of live organizations, and that of sandboxes. */
export class ProviderSettings extends Context.Service<
  ProviderSettings,
  ByMode<ProviderAccount> & {
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
      const { publicUrl, ...ofLive } = yield* readSettings(Config.all(providerSettings))
      const cell = yield* readSettings(cellSetting)
      const ofTest = yield* readSettings(Config.all(testProviderSettings))
      yield* requireOtherSecrets("SCHEDULING_API_TOKEN", ofLive.token, ofTest.token)
      yield* requireOtherSecrets("SCHEDULING_WEBHOOK_SECRET", ofLive.secrets, ofTest.secrets)
      return ProviderSettings.of({
        live: yield* accountOf("", ofLive),
        test: yield* accountOf("TEST_", ofTest),
        webhookUrl: publicUrl === undefined ? undefined : webhookUrlOf(publicUrl, cell),
        timeoutMillis: 5000
      })
    })
  )
}

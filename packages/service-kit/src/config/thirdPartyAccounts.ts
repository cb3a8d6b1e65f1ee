import { Effect, type Redacted } from "effect"
import type { ByMode } from "../time/testMode.ts"
import { BootError } from "./BootError.ts"
import { requireOtherSecrets } from "./secrets.ts"

interface AccountSettings {
  readonly url: string | undefined
  readonly token: Redacted.Redacted | undefined
  readonly secrets: ReadonlyArray<Redacted.Redacted> | undefined
}

/** An account at a third party: its address, and the credentials of both sides. */
export interface ThirdPartyAccount {
  /** Undefined without the third party. The URL has no slash at its end. */
  readonly api: { readonly url: string; readonly token: Redacted.Redacted } | undefined
  /** The third party signs events with one of these. */
  readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
}

const accountOf = Effect.fnUntraced(function* (
  name: string,
  { secrets, token, url }: AccountSettings
): Effect.fn.Return<ThirdPartyAccount, BootError> {
  if (url !== undefined && (token === undefined || secrets === undefined)) {
    return yield* new BootError({
      message: `${name}_API_URL needs ${name}_API_TOKEN and ${name}_WEBHOOK_SECRET beside it.`
    })
  }
  return {
    api: url === undefined || token === undefined ? undefined : { url: url.replace(/\/$/, ""), token },
    webhookSecrets: secrets ?? []
  }
})

/**
 * Returns the accounts at a third party: that of live organizations (`<name>_API_URL`, `_API_TOKEN`, `_WEBHOOK_SECRET`), and that of sandboxes
 * (`TEST_<name>_...`), which has secrets of its own.
 */
export const thirdPartyAccounts = Effect.fnUntraced(function* (
  name: string,
  { live, test }: ByMode<AccountSettings>
): Effect.fn.Return<ByMode<ThirdPartyAccount>, BootError> {
  yield* requireOtherSecrets(`${name}_API_TOKEN`, live.token, test.token)
  yield* requireOtherSecrets(`${name}_WEBHOOK_SECRET`, live.secrets, test.secrets)
  return { live: yield* accountOf(name, live), test: yield* accountOf(`TEST_${name}`, test) }
})

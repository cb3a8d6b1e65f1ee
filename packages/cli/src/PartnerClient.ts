import { documented, secretText } from "@care/service-kit/boot"
import { Config, Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { callForResource, type Resource } from "./AdminClient.ts"
import { CommandFailed } from "./CommandFailed.ts"
import type { WireRequest } from "./callOperation.ts"
import {
  commandSettings,
  credentialsOf,
  gatewayClient,
  gatewayConnection,
  readStored,
  secretHeader
} from "./gateway.ts"

export const apiKeySetting = documented(Config.option(secretText("CARE_API_KEY")), {
  name: "CARE_API_KEY",
  byDefault: "the demo organization's",
  meaning:
    "the API key for `care listen`, `care logs`, `care event`, `care trigger` and `care seed`, if there is no `--key`",
  isSecret: true
})

/** The API key of a command of partners. */
export const keyFlag = Flag.Redacted("key").pipe(
  Flag.withDescription(
    "The organization's API key. By default CARE_API_KEY, or the key of the demo organization of start"
  ),
  Flag.optional
)

const missingKey = new CommandFailed({ message: "The API key is missing: pass --key, or set CARE_API_KEY." })

/** Whether a key is one of a sandbox. */
export const isTestKey = (key: string): boolean => key.trim().startsWith("cv_test_")

/** The partner API, called with an organization's key: an operation, and the JSON object of its answer. */
export interface PartnerClient {
  /** Whose key it is, for people: `the demo organization in live mode`. */
  readonly owner: string
  readonly call: (operation: string, request: WireRequest) => Effect.Effect<Resource, CommandFailed>
}

/** Returns the given key, or CARE_API_KEY, or a key of the start command's demo organization, by its name there, and whether it is that one. */
export const chooseKey = Effect.fnUntraced(function* (
  flag: Option.Option<Redacted.Redacted>,
  ofDemo: "apiKey" | "testApiKey"
) {
  const { dataDirectory } = yield* gatewayConnection
  const inEnvironment = yield* commandSettings(apiKeySetting)
  const chosen = Option.orElse(flag, () => inEnvironment)
  const key = Option.isSome(chosen)
    ? Redacted.value(chosen.value)
    : yield* Effect.orElseSucceed(readStored(dataDirectory, "demo.json", ofDemo), () => undefined)
  if (key === undefined) return yield* missingKey
  // A header that cannot be sent is refused here.
  yield* secretHeader("cv-api-key", key, Option.isSome(flag) ? "--key" : "CARE_API_KEY")
  return { key, isOfDemo: Option.isNone(chosen) }
})

/** Makes the client with the given key, or CARE_API_KEY, or the key of the start command's demo organization. */
export const makePartnerClient = Effect.fnUntraced(function* (flag: Option.Option<Redacted.Redacted>) {
  const { baseUrl } = yield* gatewayConnection
  const { isOfDemo, key } = yield* chooseKey(flag, "apiKey")
  const httpClient = yield* gatewayClient(baseUrl, credentialsOf({ "cv-api-key": key }))
  const client: PartnerClient = {
    owner: `${isOfDemo ? "the demo organization" : "the key's organization"} in ${isTestKey(key) ? "test" : "live"} mode`,
    call: (operation, request) => callForResource(httpClient, operation, request)
  }
  return client
})

import { peers, type ServiceName } from "@care/domain/peers"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect } from "effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { readSettings, type Setting, setting, urlSetting } from "../config/settings.ts"
import { type PeerCalls, peerHttpClient } from "./peerHttpClient.ts"

/** The URL of a service from the environment; by default it is on this machine. */
export const peerUrl = (name: ServiceName): Setting<string> => {
  const { port, urlVariable } = peers[name]
  return setting(urlSetting, urlVariable, `http://127.0.0.1:${port}`, `where the service ${name} is`)
}

/** Handlers for `Effect.catchTags`: an answer outside of the contract is a defect, which is answered with 503 or 500. */
export const unexpected = { HttpClientError: Effect.die, SchemaError: Effect.die } as const

/** Makes the typed client of one group of another service. It calls through `peerHttpClient`. */
export const peer = Effect.fnUntraced(function* <
  Name extends ServiceName,
  Groups extends HttpApiGroup.Constraint,
  const Group extends HttpApiGroup.Identifier<Groups>
>(api: HttpApi.HttpApi<Name, Groups>, group: Group, calls?: PeerCalls) {
  const httpClient = yield* peerHttpClient(api.identifier, yield* readSettings(peerUrl(api.identifier)), calls)
  return yield* HttpApiClient.group(api, { group, httpClient })
})

/** The HTTP client of internal calls: keep-alive connections to the other services. */
export const layerHttpClient = NodeHttpClient.layerUndiciOptions({ connections: 64, keepAliveTimeout: 30_000 })

import type { ServiceName } from "@care/domain/peers"
import { IdentityTokens, type PeerCalls, peerHttpClient } from "@care/service-kit"
import { Effect } from "effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { Cell } from "./Cells.ts"

/** Makes the typed client of one group of a cell's service, like `peer`. */
export const peerOf = Effect.fnUntraced(function* <
  Name extends ServiceName,
  Groups extends HttpApiGroup.Constraint,
  const Group extends HttpApiGroup.Identifier<Groups>
>({ services, tokens }: Cell, api: HttpApi.HttpApi<Name, Groups>, group: Group, calls?: PeerCalls) {
  const httpClient = yield* peerHttpClient(api.identifier, services[api.identifier], calls).pipe(
    Effect.provideService(IdentityTokens, tokens)
  )
  return yield* HttpApiClient.group(api, { group, httpClient })
})

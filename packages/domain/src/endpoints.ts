import type { Context } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { AuthApi } from "./auth/AuthApi.ts"
import { CasesApi } from "./cases/CasesApi.ts"
import { GatewayApi } from "./gateway/GatewayApi.ts"
import { type CallerKind, callers } from "./http/callers.ts"
import { PaymentsApi } from "./payments/PaymentsApi.ts"
import type { ServiceName } from "./peers.ts"
import { SchedulingApi } from "./scheduling/SchedulingApi.ts"

/** An endpoint of a service or of the gateway. `caller` is undefined if no caller may call it. */
export interface ServedEndpoint {
  readonly owner: ServiceName | "gateway"
  readonly group: HttpApiGroup.Top
  readonly endpoint: HttpApiEndpoint.Top
  readonly caller: CallerKind | undefined
  /** Includes those of its group and its API. */
  readonly annotations: Context.Context<never>
}

// Without one of these middlewares an endpoint has no allowed caller.
const callerOf = ({ middlewares }: HttpApiEndpoint.Top): CallerKind | undefined => {
  const keys = new Set(Array.from(middlewares, ({ key }) => key))
  return Object.values(callers).find(({ Access }) => keys.has(Access.key))?.kind
}

const endpointsOf = <Id extends ServedEndpoint["owner"], Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<ServedEndpoint> => {
  const found: Array<ServedEndpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations: annotations }) =>
      found.push({ owner: api.identifier, group, endpoint, caller: callerOf(endpoint), annotations })
  })
  return found
}

/** The endpoints of all services and of the gateway, from which routes and the public document are derived. */
export const endpoints: ReadonlyArray<ServedEndpoint> = [
  ...endpointsOf(AuthApi),
  ...endpointsOf(CasesApi),
  ...endpointsOf(PaymentsApi),
  ...endpointsOf(SchedulingApi),
  ...endpointsOf(GatewayApi)
]

import type { AuthApi } from "@care/domain/auth"
import type { CasesApi } from "@care/domain/cases"
import type { GatewayApi } from "@care/domain/gateway"
import type { PaymentsApi } from "@care/domain/payments"
import type { SchedulingApi } from "@care/domain/scheduling"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"

type GroupIn<Api> = Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never

type EndpointIn<Group> =
  Group extends HttpApiGroup.HttpApiGroup<infer Name, infer Endpoints, infer _>
    ? Endpoints extends { readonly identifier: infer Id extends string; readonly path: infer Path extends string }
      ? { readonly id: `${Name}.${Id}`; readonly path: Path }
      : never
    : never

type Contract = EndpointIn<
  GroupIn<typeof AuthApi | typeof CasesApi | typeof PaymentsApi | typeof SchedulingApi | typeof GatewayApi>
>

type IdAt<Start extends string> = Extract<Contract, { readonly path: `${Start}${string}` }>["id"]

/** The id of an operation that services call on each other: `directory.people`. */
export type InternalId = IdAt<"/internal/">

/** The id of an operation of partners, and of patients through them: `orders.placeOrder`. */
export type PartnerId = IdAt<"/api/">

/** The id of any public operation. */
export type OperationId = Exclude<Contract["id"], InternalId>

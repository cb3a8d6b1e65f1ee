import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { StoredKind } from "../http/quotas.ts"
import { OrganizationId } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"
import { ServiceUsage } from "./Usage.ts"

/** An organization that has reached the quota of a kind. */
export const ReachedQuota = Schema.Struct({ organizationId: OrganizationId, kind: StoredKind })
export type ReachedQuota = typeof ReachedQuota.Type

/** Internal: what organizations store in one service, for the gateway. */
class OwnUsageApi extends HttpApiGroup.make("ownUsage")
  .add(
    HttpApiEndpoint.get("reached", "/internal/v1/usage/reached", { success: Schema.Array(ReachedQuota) }),
    HttpApiEndpoint.get("of", "/internal/v1/usage/:organizationId", {
      params: { organizationId: OrganizationId },
      success: Schema.Array(ServiceUsage)
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's usage, beside its own API. */
export const ownUsageApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnUsageApi)

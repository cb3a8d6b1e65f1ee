import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { operatorErrors } from "../http/Problem.ts"
import { StoredKind } from "../http/quotas.ts"
import { OrganizationId } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"
import { ServiceUsage, Usage } from "./Usage.ts"

export class UsageApi extends HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/organizations/:organizationId/usage", {
      params: { organizationId: OrganizationId },
      success: Schema.Struct({ data: Schema.Array(Usage), nextCursor: Schema.Null }),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "Read what an organization stores")
      .annotate(
        OpenApi.Description,
        "How much an organization stores in each service of what has a quota, and how much it may store: kept answers of idempotency keys, events, and deliveries of webhooks in rows, documents in bytes. Counted some seconds ago; what was removed since the day before may be counted still, but for what is used up. Where `used` has reached `allowed`, the organization's requests that add to it are answered with 429. An organization that is not known stores nothing."
      )
  )
  .annotate(OpenApi.Title, "Admin: usage")
  .annotate(OpenApi.Description, "What organizations store, and how much they may.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

/** An organization that has reached the quota of a kind. */
export const ReachedQuota = Schema.Struct({ organizationId: OrganizationId, kind: StoredKind })
export type ReachedQuota = typeof ReachedQuota.Type

/** Internal: what organizations store in one service, for the gateway. */
class OwnUsageApi extends HttpApiGroup.make("ownUsage")
  .add(
    HttpApiEndpoint.get("reached", "/internal/v1/usage/reached", { success: Schema.Array(ReachedQuota) }),
    HttpApiEndpoint.get("find", "/internal/v1/usage/:organizationId", {
      params: { organizationId: OrganizationId },
      success: Schema.Array(ServiceUsage)
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's usage, next to its own API. */
export const ownUsageApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnUsageApi)

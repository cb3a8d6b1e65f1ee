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
import { RateLimitUsage, ServiceUsage, Usage } from "./Usage.ts"

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
        "Read how much an organization uses of its quotas in each service: stored answers of idempotency keys, events and deliveries in rows, documents in bytes. The counts are some seconds old; removed rows may be counted for another day, unless the quota is reached. When `used` reaches `allowed`, requests of the organization that add to it are refused with 429. An unknown organization has no usage."
      ),
    HttpApiEndpoint.get("rateLimits", "/admin/v1/organizations/:organizationId/rate-limits", {
      params: { organizationId: OrganizationId },
      success: Schema.Struct({ data: Schema.Array(RateLimitUsage), nextCursor: Schema.Null }),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "Read what an organization uses of its rate limits")
      .annotate(
        OpenApi.Description,
        "Read how many requests with the organization's keys count in the present window of each rate limit. Several gateways without Redis count apart; the answer has the counts of one of them."
      )
  )
  .annotate(OpenApi.Title, "Admin: usage")
  .annotate(OpenApi.Description, "The quotas of organizations, and their usage.")
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

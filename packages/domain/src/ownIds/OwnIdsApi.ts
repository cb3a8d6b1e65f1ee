import { Record, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { OrganizationId, Uuid } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"

/** The ids that paths and filters of operators name, with the services that have their rows. */
export const ownersOfIds = {
  organizationId: "auth",
  apiKeyId: "auth",
  userId: "auth",
  caseId: "cases",
  orderId: "cases",
  escalationId: "cases",
  endpointId: "cases",
  paymentId: "payments",
  promoCodeId: "payments"
} as const satisfies Record<string, ServiceName>

const IdName = Schema.Literals(Record.keys(ownersOfIds))
export type IdName = typeof IdName.Type

/**
 * Internal: whether a service has an id, and of which organization it is, for the gateway, which finds the cell of an id so, and refuses
 * staff the ids of other organizations. What belongs to no organization has none. While its organization moves, that is not remembered.
 */
class OwnIdsApi extends HttpApiGroup.make("ownIds")
  .add(
    HttpApiEndpoint.get("find", "/internal/v1/ids/:name/:id", {
      params: { name: IdName, id: Uuid },
      success: Schema.Struct({
        isOwn: Schema.Boolean,
        isMoving: Schema.optionalKey(Schema.Boolean),
        organizationId: Schema.optionalKey(Schema.NullOr(OrganizationId))
      })
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's ids, next to its own API. */
export const ownIdsApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnIdsApi)

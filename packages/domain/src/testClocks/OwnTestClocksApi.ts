import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { OrganizationId } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"

const millis = Schema.Finite.check(Schema.isInt(), Schema.isGreaterThanOrEqualTo(0))

/**
 * The clock of a sandbox organization in a service: how far it is ahead of the machine's, whether work of the organization is under way or
 * due, and in how many milliseconds the next is due, or null.
 */
export const OwnTestClock = Schema.Struct({
  aheadMillis: millis,
  isBusy: Schema.Boolean,
  dueInMillis: Schema.NullOr(Schema.Finite)
})
export type OwnTestClock = typeof OwnTestClock.Type

/** Internal: the clocks of sandbox organizations in one service, which auth moves. None is ever moved back. */
class OwnTestClocksApi extends HttpApiGroup.make("ownTestClocks")
  .add(
    HttpApiEndpoint.get("look", "/internal/v1/test-clocks/:organizationId", {
      params: { organizationId: OrganizationId },
      success: OwnTestClock
    }),
    HttpApiEndpoint.post("set", "/internal/v1/test-clocks/:organizationId", {
      params: { organizationId: OrganizationId },
      payload: Schema.Struct({ aheadMillis: millis }),
      success: Schema.Struct({})
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's clocks of sandbox organizations, next to its own API. */
export const ownTestClocksApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnTestClocksApi)

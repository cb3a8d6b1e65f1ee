import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import type { ServiceName } from "../peers.ts"

const path = "/internal/v1/sandbox-resets"

// Which reset of the sandbox it is. The organization is that for which the caller works, so that no other one can be named.
const payload = Schema.Struct({ resets: Schema.Int })

/** Internal: the parts of a reset of a sandbox in one service, each of which may be repeated. Auth calls them. */
class OwnResetsApi extends HttpApiGroup.make("ownResets")
  .add(
    HttpApiEndpoint.post("close", `${path}/close`, { payload, success: Schema.Struct({}) }),
    HttpApiEndpoint.post("clear", `${path}/clear`, { payload, success: Schema.Struct({ changed: Schema.Int }) }),
    HttpApiEndpoint.post("open", `${path}/open`, { payload, success: Schema.Struct({}) })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of resets in a service, next to its own API. */
export const ownResetsApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnResetsApi)

import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { textUpTo } from "../http/Text.ts"
import type { ServiceName } from "../peers.ts"
import { ServicePhiKey } from "./PhiKey.ts"

const from = Schema.optionalKey(textUpTo(lengths.position))
const next = Schema.NullOr(Schema.String)

/** Internal: the keys of `PHI_KEY` in one service, for the gateway. */
class OwnPhiKeysApi extends HttpApiGroup.make("ownPhiKeys")
  .add(
    // A page of counts, and a step of a rotation. Without `from` they begin; `next` is null at the end.
    HttpApiEndpoint.get("list", "/internal/v1/phi-keys", {
      query: { from, limit: Schema.FiniteFromString.check(Schema.isInt()) },
      success: Schema.Struct({ keys: Schema.Array(ServicePhiKey), next })
    }),
    HttpApiEndpoint.post("rotate", "/internal/v1/phi-keys/rotate", {
      payload: Schema.Struct({ from }),
      success: Schema.Struct({ checked: Schema.Natural, rotated: Schema.Natural, next })
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's encryption keys, beside its own API. */
export const ownPhiKeysApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnPhiKeysApi)

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

/** Internal: what the gateway asks every service about the keys of `PHI_KEY`. */
class OwnPhiKeysApi extends HttpApiGroup.make("ownPhiKeys")
  .add(
    HttpApiEndpoint.get("list", "/internal/v1/phi-keys", { success: Schema.Array(ServicePhiKey) }),
    // A step of a rotation. Null is where it begins, and where it ends.
    HttpApiEndpoint.post("rotate", "/internal/v1/phi-keys/rotate", {
      payload: Schema.Struct({ from: Schema.NullOr(textUpTo(lengths.reference)) }),
      success: Schema.Struct({
        checked: Schema.Natural,
        rotated: Schema.Natural,
        next: Schema.NullOr(Schema.String)
      })
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** What a service answers of the keys of `PHI_KEY` beside its own API. */
export const ownPhiKeysApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnPhiKeysApi)

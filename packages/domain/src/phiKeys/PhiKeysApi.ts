import { Record, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { CellName } from "../http/CellName.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { cursorOf, longLimit, pageWith } from "../http/Page.ts"
import { operatorErrors } from "../http/Problem.ts"
import { textUpTo } from "../http/Text.ts"
import { peers, type ServiceName } from "../peers.ts"
import { PhiKey, ServicePhiKey } from "./PhiKey.ts"

const position = textUpTo(lengths.position)

/** The position in each service of a pass over everything that `PHI_KEY` seals. Services that are done are absent. */
export const PassPosition = Schema.Struct(Record.map(peers, () => Schema.optionalKey(position)))
export type PassPosition = typeof PassPosition.Type

/** The same position in a body, where null counts as absent. */
const SentPosition = Schema.Struct(Record.map(peers, () => Schema.optional(position)))
export type SentPosition = typeof SentPosition.Type

const SealedCursor = cursorOf(PassPosition, lengths.page)

/** A step of a rotation: how many rows were checked and rotated, and where the next step begins; null at the end. */
export const RotationStep = Schema.Struct({
  checked: Schema.Natural,
  rotated: Schema.Natural,
  next: Schema.NullOr(PassPosition)
}).annotate({ identifier: "RotationStep" })
export type RotationStep = typeof RotationStep.Type

export class PhiKeysApi extends HttpApiGroup.make("phiKeys")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/phi-keys", {
      query: { limit: longLimit, cursor: Schema.optionalKey(SealedCursor), cell: Schema.optionalKey(CellName) },
      success: pageWith(PhiKey, SealedCursor),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List the keys of PHI_KEY")
      .annotate(
        OpenApi.Description,
        "Count the rows that each key of PHI_KEY encrypts in each service. `limit` is the number of rows that a page examines in each service: add up the counts of all pages while there is a nextCursor. A key without rows on any page can be removed from PHI_KEY. With several cells `cell` names one of them; it is `c1` by default."
      ),
    HttpApiEndpoint.post("rotate", "/admin/v1/phi-keys/rotate", {
      payload: Schema.Struct({ from: Schema.optional(SentPosition), cell: Schema.optional(CellName) }),
      success: RotationStep,
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "Rotate PHI_KEY, a step")
      .annotate(
        OpenApi.Description,
        "Encrypt some rows of each service again with the first key of PHI_KEY: those after `from`, or the first ones. Repeat it with `from` set to the `next` of the response until `next` is null. It can be stopped and restarted at any time. With several cells `cell` names one of them; it is `c1` by default."
      )
  )
  .annotate(OpenApi.Title, "Admin: encryption keys")
  .annotate(OpenApi.Description, "The keys that encrypt health information at rest.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

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

/** The API of a service's encryption keys, next to its own API. */
export const ownPhiKeysApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnPhiKeysApi)

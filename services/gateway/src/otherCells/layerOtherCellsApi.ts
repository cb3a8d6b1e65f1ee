import { otherCellsApi } from "@care/domain/gateway"
import { callers } from "@care/domain/http"
import { identityHeader, layerDocumentedErrors } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { pathUnknown } from "../answers.ts"
import { CallerCell, Cells } from "../cells/index.ts"
import { OtherCells } from "./OtherCells.ts"

const { service } = callers

// The token is signed with the secret of the caller's cell. Without one the path does not exist.
const layerServiceAccess = Layer.effect(
  service.Access,
  Effect.map(
    Cells,
    (cells) => (httpEffect) =>
      Effect.gen(function* () {
        const { headers, url } = yield* HttpServerRequest.HttpServerRequest
        for (const cell of cells.all) {
          const identity = yield* Effect.orElseSucceed(cell.tokens.verify(headers[identityHeader]), () => undefined)
          if (service.is(identity)) {
            return yield* httpEffect.pipe(
              Effect.provideService(service.Current, identity),
              Effect.provideService(CallerCell, cell)
            )
          }
        }
        return pathUnknown(url)
      })
  )
)

const OtherCellsHandlers = HttpApiBuilder.group(
  otherCellsApi,
  "otherCells",
  Effect.fnUntraced(function* (handlers) {
    const { first } = yield* Cells
    const otherCells = yield* OtherCells
    return handlers.handleAll({
      findUser: Effect.fnUntraced(function* ({ payload }) {
        return yield* otherCells.findUser((yield* CallerCell) ?? first, payload)
      }),
      findOrder: Effect.fnUntraced(function* ({ params }) {
        return yield* otherCells.findOrder((yield* CallerCell) ?? first, params.orderId)
      })
    })
  })
)

/** Answers what services of a cell ask about the others. */
export const layerOtherCellsApi = HttpApiBuilder.layer(otherCellsApi).pipe(
  Layer.provide(OtherCellsHandlers),
  Layer.provide([OtherCells.layer, layerServiceAccess, layerDocumentedErrors])
)

import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { UserIdentifier } from "../auth/UserIdentifier.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrderId } from "../Ids.ts"

/** The oldest user of other cells with an identifier, and the cells that did not answer. */
export const UserOfOtherCells = Schema.Struct({
  createdAt: Schema.NullOr(Timestamp),
  silentCells: Schema.Array(Schema.String)
})
export type UserOfOtherCells = typeof UserOfOtherCells.Type

/** Whether another cell has an order, and the cells that did not answer. */
export const OrderOfOtherCells = Schema.Struct({ isFound: Schema.Boolean, silentCells: Schema.Array(Schema.String) })
export type OrderOfOtherCells = typeof OrderOfOtherCells.Type

class OtherCellsApi extends HttpApiGroup.make("otherCells")
  .add(
    HttpApiEndpoint.post("findUser", "/internal/v1/other-cells/users/find", {
      payload: UserIdentifier,
      success: UserOfOtherCells
    }),
    HttpApiEndpoint.get("findOrder", "/internal/v1/other-cells/orders/:orderId", {
      params: { orderId: OrderId },
      success: OrderOfOtherCells
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** Internal: what the services of a cell ask the gateway about all other cells. It is next to the gateway's own API. */
export const otherCellsApi = HttpApi.make("gateway").add(OtherCellsApi)

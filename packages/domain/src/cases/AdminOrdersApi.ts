import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { OrderId } from "../Ids.ts"
import { OrderNotFound, OrderStatusConflict } from "./errors.ts"
import { AdminOrder, OrderChange } from "./Order.ts"

/** 404 of an unknown order, for operators and the pharmacy. */
export const orderNotFound = problem(
  OrderNotFound,
  404,
  "Order not found",
  ({ orderId }) => `No order has the id ${orderId}.`
)

export class AdminOrdersApi extends HttpApiGroup.make("adminOrders")
  .add(
    HttpApiEndpoint.patch("change", "/admin/v1/orders/:orderId", {
      params: { orderId: OrderId },
      payload: OrderChange,
      success: AdminOrder,
      error: [
        ...operatorErrors,
        orderNotFound,
        problem(
          OrderStatusConflict,
          409,
          "The order's status does not allow this",
          ({ requested, status }) => `The order is ${status} and does not become ${requested}.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Change an order")
      .annotate(
        OpenApi.Description,
        "Update the status and the shipping data of an order. The status only moves forward; DELIVERED and CANCELED are final. Absent fields are not changed, and the entry of the shipping log is appended. To send an order again that became an ERROR before the pharmacy received it, repeat its job."
      )
  )
  .annotate(OpenApi.Title, "Admin: orders")
  .annotate(OpenApi.Description, "Update medication orders.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

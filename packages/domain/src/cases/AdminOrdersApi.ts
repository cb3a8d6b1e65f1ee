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
        "Says how an order goes on: forward only, DELIVERED and CANCELED are its ends. What is absent stays, and an entry of the shipping log is added to those that are there. What became an ERROR before the pharmacy had it is handed over again by repeating its job."
      )
  )
  .annotate(OpenApi.Title, "Admin: orders")
  .annotate(OpenApi.Description, "How medication orders go on.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

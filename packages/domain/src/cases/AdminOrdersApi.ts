import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { UserSummary } from "../auth/User.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, OrderId, OrganizationId } from "../Ids.ts"
import { OrderNotFound, OrderStatusConflict } from "./errors.ts"
import { AdminOrder, Order, OrderChange } from "./Order.ts"

/** 404 of an unknown order, for operators and the pharmacy. */
export const orderNotFound = problem(
  OrderNotFound,
  404,
  "Order not found",
  ({ orderId }) => `No order has the id ${orderId}.`
)

/** An order that somebody has to look at. `message` is what the pharmacy or our work on the order said last. */
export const OrderInError = Schema.Struct({
  id: Order.fields.id,
  organizationId: OrganizationId,
  caseId: CaseId,
  shortId: Schema.String,
  submitter: UserSummary,
  status: Order.fields.status,
  message: Order.fields.message,
  pharmacyOrderId: Order.fields.pharmacyOrderId,
  pharmacyName: Order.fields.pharmacyName,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "OrderInError" })
export type OrderInError = typeof OrderInError.Type

/** The query of an organization's orders in error. */
export const OrdersInErrorQuery = { ...PageQuery, organizationId: OrganizationId }
export type OrdersInErrorQuery = Schema.Struct.Type<typeof OrdersInErrorQuery>

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
      ),
    HttpApiEndpoint.get("inError", "/admin/v1/orders/in-error", {
      query: OrdersInErrorQuery,
      success: pageOf(OrderInError),
      error: operatorErrors
    })
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List an organization's orders in error")
      .annotate(
        OpenApi.Description,
        "List the orders of an organization with the status ERROR, oldest first, with their case and patient."
      )
  )
  .annotate(OpenApi.Title, "Admin: orders")
  .annotate(OpenApi.Description, "Update medication orders, and list those in error.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Action, AddsTo } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keysAs } from "../http/commonErrors.ts"
import { codedInvalidRequest, invalidRequest } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok, saying } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { PathInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { CaseId, OrderId } from "../Ids.ts"
import { describeCaseOperations } from "./describeCaseOperations.ts"
import { CaseClosed, CaseForbidden, CaseNotFound } from "./errors.ts"
import { PlaceOrder, placeOrderExample } from "./PlaceOrder.ts"

const unknownCase = "No Case found for provided details!"

export class OrdersApi extends HttpApiGroup.make("orders")
  .add(
    HttpApiEndpoint.post("placeOrder", "/api/v1/cases/:caseId/PLACE_ORDER", {
      params: { caseId: CaseId },
      headers: idempotencyHeader,
      payload: PlaceOrder,
      success: ok({
        message: saying("Order placed successfully"),
        data: Schema.Struct({ order: Schema.Struct({ id: OrderId }) })
      }),
      error: [
        ...keysAs(invalidRequest, 401),
        invalidRequest(PathInvalid, 400, unknownCase, "There is no such case"),
        mistakesAs(invalidRequest),
        invalidRequest(CaseNotFound, 400, unknownCase, "There is no such case"),
        invalidRequest(CaseClosed, 400, "Case has been closed", "The case is archived"),
        invalidRequest(CaseForbidden, 403, "Permission denied", "The case belongs to another organization"),
        idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR")),
        ...broken
      ]
    })
      .annotate(Action, "PLACE_ORDER")
      .annotate(OpenApi.Transform, requestExample(placeOrderExample))
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Order medication")
      .annotate(
        OpenApi.Description,
        "Orders medication for the patient of a case. Without `shippingAddress` it is sent to the newest known address: that of the case, of a saved payment method, or of the patient's profile. The order is accepted at once and sent to the pharmacy afterwards; its status is in the case detail with `includeOrders`. The `idempotencyKey` of the body takes precedence over the header."
      )
  )
  .annotateMerge(describeCaseOperations)
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

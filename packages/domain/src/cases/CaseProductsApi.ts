import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Action, AddsTo } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keysAs } from "../http/commonErrors.ts"
import { codedInvalidRequest, forbidden, unauthorizedOperation } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { constant, ok } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { mistakesText, PathInvalid, RequestInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { showing } from "../http/shownAnswers.ts"
import { shownIds } from "../http/shownIds.ts"
import { CaseId } from "../Ids.ts"
import { CaseProductChange, twoChangesRefusal } from "./CaseProductChange.ts"
import { describeCaseOperations } from "./describeCaseOperations.ts"
import { CaseForbidden, CaseNotFound, CaseProductClosed, ProductNotInCase } from "./errors.ts"

const unknownCase = "No Case found for provided details!"

const productId = "caseProductInput.productId"

const mistakeText = ({ mistakes }: RequestInvalid): string => {
  if (mistakes.some(({ reason }) => reason === twoChangesRefusal)) return twoChangesRefusal
  return mistakesText(
    mistakes.map(({ path, reason }) => ({
      path,
      reason: path === productId ? "Product id must be a valid UUID" : reason
    }))
  )
}

const invalid = codedInvalidRequest("VALIDATION_ERROR")

export class CaseProductsApi extends HttpApiGroup.make("caseProducts")
  .add(
    HttpApiEndpoint.post("update", "/api/v1/cases/:caseId/UPDATE_CASE_PRODUCT", {
      params: { caseId: CaseId },
      headers: idempotencyHeader,
      payload: Schema.Struct({
        action: Schema.Literal("UPDATE_CASE_PRODUCT"),
        caseProductInput: CaseProductChange
      }).annotate({ identifier: "UpdateCaseProduct" }),
      success: showing(
        ok({
          message: constant("Case product updated successfully"),
          data: Schema.Struct({ success: constant(true) })
        }).annotate({ identifier: "CaseProductUpdated" }),
        { data: {} }
      ),
      error: [
        ...keysAs(unauthorizedOperation, 401),
        invalid(PathInvalid, 400, unknownCase),
        invalid(
          RequestInvalid,
          400,
          mistakeText,
          "Fields are missing or malformed: `<path>, <reason>`",
          RequestInvalid.inPayload(productId, "must be a UUID"),
          RequestInvalid.inPayload("caseProductInput", twoChangesRefusal)
        ),
        invalid(CaseNotFound, 400, unknownCase),
        invalid(ProductNotInCase, 400, `${productId}, The case has no such product`, "The case has no such product"),
        invalid(
          CaseProductClosed,
          400,
          ({ change }) =>
            change === "close"
              ? "Case product is already closed"
              : "Due date can only be updated for an open case product",
          "The product of the case is closed",
          new CaseProductClosed({ change: "close" }),
          new CaseProductClosed({ change: "dueDate" })
        ),
        forbidden(CaseForbidden, 403, "Permission denied", "The case belongs to another organization"),
        idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR")),
        ...broken
      ]
    })
      .annotate(Action, "UPDATE_CASE_PRODUCT")
      .annotate(
        OpenApi.Transform,
        requestExample({
          action: "UPDATE_CASE_PRODUCT",
          caseProductInput: {
            productId: shownIds.product,
            status: "CLOSE",
            reason: "The patient has enough of it"
          }
        })
      )
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Close a product of a case, or change its due date")
      .annotate(
        OpenApi.Description,
        "Closes a product of a case, or changes the due date of an open one to today (in UTC) or later. If the case has the product more than once, every open occurrence is changed."
      )
  )
  .annotateMerge(describeCaseOperations)
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

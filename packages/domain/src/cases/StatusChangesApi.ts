import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Action, AddsTo } from "../http/annotations.ts"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keysAs } from "../http/commonErrors.ts"
import { codedInvalidRequest, invalidRequest, permissionDenied } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { ok } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { PathInvalid, RequestInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { showing } from "../http/shownAnswers.ts"
import { textUpTo } from "../http/Text.ts"
import { CaseId } from "../Ids.ts"
import { describeCaseOperations } from "./describeCaseOperations.ts"
import { CaseClosed, CaseForbidden, CaseNotClosed, CaseNotFound, CaseNotOpenable } from "./errors.ts"

/** A partner's change of a case's status. `reason` is stored with `CLOSE` and ignored otherwise. */
export const StatusChange = Schema.Struct({
  action: Schema.Literal("CHANGE_CASE_STATUS"),
  status: Schema.Literals(["OPEN", "CLOSE", "REOPEN"]),
  reason: Schema.optional(textUpTo(lengths.paragraph))
}).annotate({ identifier: "ChangeCaseStatus" })
export type StatusChange = typeof StatusChange.Type

const unknownCase = "No Case found for provided details!"

const Changed = Schema.Literals(["Case opened successfully", "Case closed successfully", "Case reopened successfully"])

const mistakeText = ({ mistakes, text }: RequestInvalid): string =>
  mistakes.some(({ path }) => path === "status") ? "Invalid status value" : text

export class StatusChangesApi extends HttpApiGroup.make("statusChanges")
  .add(
    HttpApiEndpoint.post("change", "/api/v1/cases/:caseId/CHANGE_CASE_STATUS", {
      params: { caseId: CaseId },
      headers: idempotencyHeader,
      payload: StatusChange,
      success: showing(
        ok({ message: Changed }).annotate({ identifier: "CaseStatusChanged" }),
        ...Changed.literals.map((message) => ({ message }))
      ),
      error: [
        ...keysAs(invalidRequest, 401),
        invalidRequest(PathInvalid, 400, unknownCase),
        invalidRequest(
          RequestInvalid,
          400,
          mistakeText,
          "`Invalid status value`: the status is not one of the three; or another field is malformed: `<path>, <reason>`",
          RequestInvalid.inPayload("status", "must be one of OPEN, CLOSE, REOPEN")
        ),
        invalidRequest(CaseNotFound, 400, unknownCase),
        permissionDenied(CaseForbidden, 401, "Permission denied", "The case belongs to another organization"),
        invalidRequest(CaseClosed, 400, "Case has been closed"),
        invalidRequest(CaseNotClosed, 400, "Case is not closed"),
        invalidRequest(
          CaseNotOpenable,
          400,
          ({ status }) => `Case cannot be opened from status ${status}`,
          "A provider is working on the case, or has decided on it",
          new CaseNotOpenable({ status: "IN_PROGRESS" })
        ),
        idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR")),
        ...broken
      ]
    })
      .annotate(Action, "CHANGE_CASE_STATUS")
      .annotate(
        OpenApi.Transform,
        requestExample({ action: "CHANGE_CASE_STATUS", status: "CLOSE", reason: "The patient moved away" })
      )
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Open, close or reopen a case")
      .annotate(
        OpenApi.Description,
        "OPEN opens an ABANDONED case, which is then assigned, or takes an ASSIGNED case from its provider. CLOSE archives the case and cancels its pending work. REOPEN makes a closed case active again, with the status that it had."
      )
  )
  .annotateMerge(describeCaseOperations)
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

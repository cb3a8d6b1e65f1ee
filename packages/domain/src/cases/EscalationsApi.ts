import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Action, AddsTo } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keysAs } from "../http/commonErrors.ts"
import { coded, invalidRequest } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { constant, ok } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { PathInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { showing, shownMoment } from "../http/shownAnswers.ts"
import { shownIds } from "../http/shownIds.ts"
import { CaseId, EscalationId } from "../Ids.ts"
import { describeCaseOperations } from "./describeCaseOperations.ts"
import { AssigneeUnknown, Escalation, EscalationActive, EscalationRepeated, NewEscalations } from "./Escalation.ts"
import { CaseForbidden, CaseNotFound } from "./errors.ts"
import { newestOf } from "./newestOf.ts"

const noCase = "Case not found!"

const shownEscalation = { type: "support", title: "Waiting for patient reply" } as const

const addedEscalation: Escalation = {
  ...shownEscalation,
  id: EscalationId.make(shownIds.escalation),
  note: "Asked for the new address",
  isCompleted: false,
  createdAt: shownMoment,
  updatedAt: shownMoment
}

export class EscalationsApi extends HttpApiGroup.make("escalations")
  .add(
    HttpApiEndpoint.post("add", "/api/v1/cases/:caseId/ADD_ESCALATION", {
      headers: idempotencyHeader,
      params: { caseId: CaseId },
      payload: Schema.Struct({ action: Schema.Literal("ADD_ESCALATION"), escalations: NewEscalations }).annotate({
        identifier: "AddEscalation"
      }),
      success: showing(
        ok({
          message: constant("Escalation(s) added successfully"),
          data: Schema.Struct({ escalations: newestOf(Escalation) })
        }).annotate({ identifier: "EscalationsAdded", description: "The active escalations of the case" }),
        { data: { escalations: [addedEscalation] } }
      ),
      error: [
        ...keysAs(invalidRequest, 401),
        invalidRequest(PathInvalid, 400, noCase, "There is no such case"),
        mistakesAs(
          coded("VALIDATION_ERROR"),
          "Fields are missing, malformed or unknown, or a title does not belong to its type: `<path>, <reason>; <path>, <reason>`"
        ),
        idempotencyConflictAs(coded("IDEMPOTENCY_ERROR")),
        invalidRequest(
          EscalationRepeated,
          400,
          ({ title, type }) => `Duplicate escalation in request: ${type} / ${title}`,
          "Two escalations of the request have the same type and title",
          new EscalationRepeated(shownEscalation)
        ),
        invalidRequest(
          EscalationActive,
          400,
          ({ title, type }) => `Escalation already active on this case: ${type} / ${title}`,
          "The case already has an active escalation of this type and title",
          new EscalationActive(shownEscalation)
        ),
        invalidRequest(
          AssigneeUnknown,
          400,
          ({ email }) => `No assignable user found with email ${email} for this organization`,
          "No active third-party administrator of the organization has the email",
          new AssigneeUnknown({ email: "support@example.com" })
        ),
        invalidRequest(CaseNotFound, 400, noCase, "There is no such case"),
        invalidRequest(CaseForbidden, 401, "Permission denied!", "The case belongs to another organization"),
        ...broken
      ]
    })
      .annotate(Action, "ADD_ESCALATION")
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Add escalations to a case")
      .annotate(
        OpenApi.Transform,
        requestExample({
          action: "ADD_ESCALATION",
          escalations: [
            {
              type: "support",
              title: "Waiting for patient reply",
              note: "Asked for the new address",
              followUpDueAt: "2026-08-05T17:00:00.000Z",
              assignedToEmail: "support@example.com"
            }
          ]
        })
      )
      .annotate(
        OpenApi.Description,
        "Adds escalations to a case, which may be closed. Either all of them are added or none. Unknown fields of an escalation are refused. A case can have one active escalation of each type and title."
      )
  )
  .annotateMerge(describeCaseOperations)
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}

import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf, pageWith, SequenceCursor } from "../http/Page.ts"
import { CaseId } from "../Ids.ts"
import { FormResponse } from "./AdminCase.ts"
import { Attachment } from "./Attachment.ts"
import { caseErrors } from "./BackOfficeApi.ts"
import { CaseActivity } from "./CaseActivity.ts"
import { CaseCalendarEvent } from "./CaseCalendarEvent.ts"
import { Comment } from "./Comment.ts"
import { Decision } from "./Decision.ts"
import { Order } from "./Order.ts"

const params = { caseId: CaseId }

/** Every list of a case to its end: reading the case shows the newest of each. */
export class CaseListsApi extends HttpApiGroup.make("caseLists")
  .add(
    HttpApiEndpoint.get("comments", "/admin/v1/cases/:caseId/comments", {
      params,
      query: { ...PageQuery, isRestricted: Schema.optionalKey(Schema.Literals(["true", "false"])) },
      success: pageOf(Comment),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "List comments")
      .annotate(
        OpenApi.Description,
        "List the comments on a case and its internal notes, newest first: with isRestricted, the ones or the others."
      ),
    HttpApiEndpoint.get("decisions", "/admin/v1/cases/:caseId/decisions", {
      params,
      query: PageQuery,
      success: pageOf(Decision),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "List decisions")
      .annotate(OpenApi.Description, "List the decisions on a case, newest first."),
    HttpApiEndpoint.get("attachments", "/admin/v1/cases/:caseId/attachments", {
      params,
      query: PageQuery,
      success: pageOf(Attachment),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "List attachments")
      .annotate(
        OpenApi.Description,
        "List the files of a case, newest first, with links to their contents. Files of comments are listed with them."
      ),
    HttpApiEndpoint.get("orders", "/admin/v1/cases/:caseId/orders", {
      params,
      query: PageQuery,
      success: pageOf(Order),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "List orders")
      .annotate(OpenApi.Description, "List the medication orders of a case, newest first."),
    HttpApiEndpoint.get("formResponses", "/admin/v1/cases/:caseId/form-responses", {
      params,
      query: PageQuery,
      success: pageOf(FormResponse),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "List form responses")
      .annotate(OpenApi.Description, "List what was answered to the forms of a case, newest first."),
    HttpApiEndpoint.get("calendarEvents", "/admin/v1/cases/:caseId/calendar-events", {
      params,
      query: PageQuery,
      success: pageOf(CaseCalendarEvent),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "List calendar events")
      .annotate(
        OpenApi.Description,
        "List the calendar events of a case that were not cancelled, those that start last first."
      ),
    HttpApiEndpoint.get("activity", "/admin/v1/cases/:caseId/activity", {
      params,
      query: { ...PageQuery, cursor: Schema.optionalKey(SequenceCursor) },
      success: pageWith(CaseActivity, SequenceCursor),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "List activity")
      .annotate(
        OpenApi.Description,
        "List what happened to a case, oldest first: each change with who made it and its number, in the order of their effect."
      )
  )
  .annotate(OpenApi.Title, "Admin: lists of a case")
  .annotate(OpenApi.Description, "What a case has, page by page: reading the case shows the newest of each list.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

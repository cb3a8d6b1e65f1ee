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
import { Escalation } from "./Escalation.ts"
import { Order } from "./Order.ts"

const params = { caseId: CaseId }

const list = <const Name extends string, Item extends Schema.Top>(
  name: Name,
  path: string,
  item: Item,
  summary: string,
  description: string
) =>
  HttpApiEndpoint.get(name, `/admin/v1/cases/:caseId/${path}`, {
    params,
    query: PageQuery,
    success: pageOf(item),
    error: caseErrors
  })
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Description, description)

/** The complete lists of a case, in pages. Reading the case shows only the newest entries. */
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
    list("decisions", "decisions", Decision, "List decisions", "List the decisions on a case, newest first."),
    list(
      "attachments",
      "attachments",
      Attachment,
      "List attachments",
      "List the files of a case, newest first, with links to their contents. Files of comments are listed with them."
    ),
    list("orders", "orders", Order, "List orders", "List the medication orders of a case, newest first."),
    list(
      "escalations",
      "escalations",
      Escalation,
      "List escalations",
      "List the escalations of a case, newest first, those that are completed among them."
    ),
    list(
      "formResponses",
      "form-responses",
      FormResponse,
      "List form responses",
      "List what was answered to the forms of a case, newest first."
    ),
    list(
      "calendarEvents",
      "calendar-events",
      CaseCalendarEvent,
      "List calendar events",
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

import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf, pageWith, SequenceCursor } from "../http/Page.ts"
import { anyCase } from "../http/Text.ts"
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
import { TimelineEntry, TimelineKind } from "./TimelineEntry.ts"

const params = { caseId: CaseId }

/** The query of a case's timeline: all entries, or those of one kind. */
export const TimelineQuery = {
  ...PageQuery,
  cursor: Schema.optionalKey(SequenceCursor),
  kind: Schema.optionalKey(anyCase(TimelineKind))
}
export type TimelineQuery = Schema.Struct.Type<typeof TimelineQuery>

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
        "List the comments and internal notes of a case, newest first. isRestricted selects the notes (true) or the comments (false)."
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
      "List the escalations of a case, newest first, including completed ones."
    ),
    list(
      "formResponses",
      "form-responses",
      FormResponse,
      "List form responses",
      "List the answers to the forms of a case, newest first."
    ),
    list(
      "calendarEvents",
      "calendar-events",
      CaseCalendarEvent,
      "List calendar events",
      "List the calendar events of a case that are not cancelled, latest start first."
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
        "List the changes of a case, oldest first. Each has its actor and a number, which gives the order in which the changes took effect."
      ),
    HttpApiEndpoint.get("timeline", "/admin/v1/cases/:caseId/timeline", {
      params,
      query: TimelineQuery,
      success: pageWith(TimelineEntry, SequenceCursor),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "Read the timeline")
      .annotate(
        OpenApi.Description,
        "List the changes of a case, newest first, each with the comment, decision, order, escalation, payment or calendar event that it is about, as that is now. With kind a page may have fewer entries than limit, or none, before the last page: continue while there is a nextCursor."
      )
  )
  .annotate(OpenApi.Title, "Admin: lists of a case")
  .annotate(
    OpenApi.Description,
    "The lists of a case in pages. Reading the case shows only the newest entries of each."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

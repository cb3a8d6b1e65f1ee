import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { describeCaseOperations } from "../cases/describeCaseOperations.ts"
import { CaseForbidden, CaseNotFound } from "../cases/errors.ts"
import { Action, AddsTo } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keysAs } from "../http/commonErrors.ts"
import { codedInvalidRequest, invalidParameters, invalidRequest } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { constant, ok } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { mistakesText, PathInvalid, RequestInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { showing } from "../http/shownAnswers.ts"
import { shownIds } from "../http/shownIds.ts"
import { CalendarEventId, CaseId } from "../Ids.ts"
import { CalendarEventCancelled, CalendarEventNotCustom, CalendarEventNotFound, EventTimesReversed } from "./errors.ts"
import { customAgent, NewCalendarEvent } from "./NewCalendarEvent.ts"

const unknownCase = "No Case found for provided details!"

// The errors of both actions about their case.
const caseErrors = [
  ...keysAs(invalidRequest, 401),
  invalidRequest(PathInvalid, 404, unknownCase, "There is no such case"),
  invalidRequest(CaseNotFound, 404, unknownCase, "There is no such case"),
  invalidRequest(CaseForbidden, 401, "Permission denied", "The case belongs to another organization"),
  idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR"))
] as const

const cancelMistakes = ({ mistakes }: RequestInvalid): string =>
  mistakes.some(({ path }) => path === "calendar.id") ? "id must be a valid UUID" : mistakesText(mistakes)

const done = Schema.Struct({ success: constant(true) })

export class CalendarActionsApi extends HttpApiGroup.make("calendarActions")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/cases/:caseId/CREATE_CALENDAR_EVENT", {
      params: { caseId: CaseId },
      headers: idempotencyHeader,
      payload: Schema.Struct({ action: Schema.Literal("CREATE_CALENDAR_EVENT"), calendar: NewCalendarEvent }).annotate({
        identifier: "CreateCalendarEvent"
      }),
      success: showing(
        ok({ message: constant("Case calendar event created successfully"), data: done }).annotate({
          identifier: "CalendarEventCreated"
        }),
        { data: {} }
      ),
      error: [
        ...caseErrors,
        mistakesAs(invalidParameters),
        invalidRequest(
          EventTimesReversed,
          422,
          "calendar.endTime, must be later than startTime",
          "The event does not end after its start"
        ),
        ...broken
      ]
    })
      .annotate(Action, "CREATE_CALENDAR_EVENT")
      .annotate(
        OpenApi.Transform,
        requestExample({
          action: "CREATE_CALENDAR_EVENT",
          calendar: {
            title: "Follow-up visit",
            agentName: customAgent,
            startTime: "2026-08-12T15:00:00.000Z",
            endTime: "2026-08-12T15:30:00.000Z",
            timeZone: "America/Los_Angeles",
            meetingLink: "https://meet.example.com/follow-up",
            location: "zoom_conference",
            provider: { email: "jane.rivera@example.com", name: "Dr. Jane Rivera" }
          }
        })
      )
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Create a calendar event of a case")
      .annotate(
        OpenApi.Description,
        "Adds an event to the calendar of a case. Times are in UTC unless they have an offset; `timeZone` is the time zone in which they are shown. The event is shown with the case (`includeCalendarEvents`), where its id is, and among the appointments. A `provider` who is a member of the organization is shown as its organizer."
      ),
    HttpApiEndpoint.post("cancel", "/api/v1/cases/:caseId/CANCEL_CALENDAR_EVENT", {
      params: { caseId: CaseId },
      headers: idempotencyHeader,
      payload: Schema.Struct({
        action: Schema.Literal("CANCEL_CALENDAR_EVENT"),
        calendar: Schema.Struct({ id: CalendarEventId })
      }).annotate({ identifier: "CancelCalendarEvent" }),
      success: showing(
        ok({ message: constant("Calendar event cancelled successfully"), data: done }).annotate({
          identifier: "CalendarEventCancelled"
        }),
        { data: {} }
      ),
      error: [
        ...caseErrors,
        invalidRequest(
          RequestInvalid,
          400,
          cancelMistakes,
          "`id must be a valid UUID`, or another field is malformed: `<path>, <reason>`",
          RequestInvalid.inPayload("calendar.id", "must be a UUID")
        ),
        invalidRequest(CalendarEventNotFound, 400, "Calendar event not found", "The case has no such event"),
        invalidRequest(
          CalendarEventCancelled,
          400,
          "Calendar event has already been cancelled",
          "The event is already cancelled"
        ),
        invalidRequest(
          CalendarEventNotCustom,
          400,
          `Calendar event can only be cancelled when agentName is ${customAgent}`,
          "The event belongs to another agent"
        ),
        ...broken
      ]
    })
      .annotate(Action, "CANCEL_CALENDAR_EVENT")
      .annotate(
        OpenApi.Transform,
        requestExample({
          action: "CANCEL_CALENDAR_EVENT",
          calendar: { id: shownIds.calendarEvent }
        })
      )
      .annotate(OpenApi.Summary, "Cancel a calendar event of a case")
      .annotate(
        OpenApi.Description,
        "Cancels an event whose `agentName` is `custom`. It is no longer shown and cannot be restored."
      )
  )
  .annotateMerge(describeCaseOperations)
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
